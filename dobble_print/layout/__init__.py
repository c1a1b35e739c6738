"""Layout: silhouettes and a card shape go in, placements that never overlap come out, for a whole deck at once."""
