"""The rules booklet: `book` makes it to read, `imposition` to print and fold.

From data to paper: the rules' own `rulebook` → `typeset` (flowables) → `flow` and `pages` (a plan of pages) → drawn;
drawings go from `pack` (the deck's real cards) through `setups` (scenes as data) to `scenery`.
"""
