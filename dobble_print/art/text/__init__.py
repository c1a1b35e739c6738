"""Text as a symbol: shaping, line breaking, blocks and plates."""
