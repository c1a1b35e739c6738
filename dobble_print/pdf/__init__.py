"""The PDF kernel: content, geometry, colours, pictures and pages of PDF documents; it knows nothing of cards."""
