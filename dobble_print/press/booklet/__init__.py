"""The rules booklet: `book` makes it to read, `imposition` to print and fold."""
