"""Untrusted SVG: limits, sanitizer, style sheets, and rendering."""
