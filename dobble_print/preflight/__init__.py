"""Preflight: a finished PDF is read back and checked, as a print shop would, by rules that know nothing of its making.

Start with `check.py`: it names every rule once.
"""
