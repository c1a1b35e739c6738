"""Languages, the lexicon of picturable words, and how words are written."""
