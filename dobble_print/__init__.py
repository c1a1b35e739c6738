"""dobble-print: a list of pictures or words goes in, a boxed game comes out."""

__version__ = "0.1.0"
