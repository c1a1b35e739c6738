"""Verify: a finished PDF is read back, and the promises of the game are proved from what is drawn in it.

Start with `prove.py`: it names every claim once. Nothing here knows the deck's record, the layout or its silhouettes.
"""
