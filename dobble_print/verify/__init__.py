"""Verify: a finished PDF is read back, and the promises of the game are proved from what is drawn in it.

Start with `prove.py`: it names every claim once. Nothing here knows the deck's record, the layout or its silhouettes.
"""

from dobble_print.verify.proof import Claim, Demands, Proof, describe
from dobble_print.verify.prove import prove_pdf

__all__ = ["Claim", "Demands", "Proof", "describe", "prove_pdf"]
