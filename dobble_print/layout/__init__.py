"""Place the symbols of a whole deck: silhouettes and a card shape in, placements that never overlap out."""
