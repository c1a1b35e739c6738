"""Text as a symbol: shaping, breaking, blocks and plates."""
