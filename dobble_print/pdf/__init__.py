"""The PDF kernel: content, geometry, colours, pictures and pages of PDF documents, and the marks of cards in them."""
