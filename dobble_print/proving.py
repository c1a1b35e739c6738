"""Proving a product: what is about to be handed over is read back first.

Invariant: whatever makes a deck, its sheets leave the program only when every promise is proved from the file itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dobble_print.errors import ArtworkError, Fault, VerifyError

if TYPE_CHECKING:
    from dobble_print.product import Product
    from dobble_print.theme.model import Theme
    from dobble_print.verify.proof import Proof

HINT = "Nothing was written. If its pictures can be seen on the card's colour, tell us: it is a bug in dobble-print."


def prove_product(product: Product) -> dict[str, Proof]:
    """The proof of every file of a box that holds cards; a picture that nobody can see is told as what it is."""
    try:
        return prove_files(product.name, product.files)
    except VerifyError:
        _refuse_unseen(product.theme)
        raise


def _refuse_unseen(theme: Theme) -> None:
    from dobble_print.art.gallery import open_gallery
    from dobble_print.art.similarity.contrast import examine_sight
    from dobble_print.art.similarity.lookalikes import list_shown, sketch_pictures

    shown = list_shown(theme.symbols)
    unseen, _ = examine_sight(theme, shown, sketch_pictures(shown, open_gallery(theme.symbols).artworks))
    ArtworkError.raise_any(unseen)


def prove_files(folder: str, files: Mapping[str, bytes]) -> dict[str, Proof]:
    """The proof of every file with cards, by its name; raises a `VerifyError` when a promise is not kept."""
    from dobble_print.verify.prove import prove_pdf

    sheets = {name: data for name, data in files.items() if _holds_cards(name)}
    proofs = {name: prove_pdf(data) for name, data in sheets.items()}
    faults = [
        Fault(f"{folder}/{name} breaks a promise: {claim.what}", HINT)
        for name, proof in proofs.items()
        for claim in proof.claims
        if claim.verdict in ("wrong", "unknown")
    ]
    VerifyError.raise_any(faults)
    return proofs


def _holds_cards(name: str) -> bool:
    return name.endswith(".pdf") and name.startswith(("cards", "backs"))


def tell_proofs(proofs: Mapping[str, Proof]) -> list[str]:
    """What was proved of the pairs, in a line a file."""
    pairs = [claim for proof in proofs.values() for claim in proof.claims if claim.name == "pairs"]
    return [f"proved: {claim.what}" for claim in pairs if claim.verdict == "proved"]


def list_proofs(proofs: Mapping[str, Proof]) -> dict[str, Any]:
    """The proofs as plain data."""
    return {name: proof.as_dict() for name, proof in proofs.items()}
