"""The studio: a page in the browser where decks are made, and the server behind it."""
