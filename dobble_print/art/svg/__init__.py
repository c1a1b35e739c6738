"""SVG from anyone: limits, sanitizer, style sheets, and rendering."""
