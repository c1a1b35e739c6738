"""Check a theme without building it: every fault a build would meet, look-alikes, and the deck in words.

Invariant: nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dobble_print.art.artwork import Artwork
from dobble_print.art.gallery import examine_gallery, open_back
from dobble_print.art.similarity.lookalikes import (
    Lookalike,
    examine_visibility,
    find_lookalikes,
    list_shown,
    sketch_pictures,
    warn_about_lookalikes,
)
from dobble_print.compose import sheet_theme
from dobble_print.dealing import deal_theme, explain_faces, explain_fill, explain_theme, find_unfilled, find_unused
from dobble_print.errors import ArtworkError, DobbleError, ExitCode, Fault, ThemeError, sort_faults
from dobble_print.messages import list_words, quote
from dobble_print.press.contact_sheets import MOST_ROWS, draw_lookalike_sheet
from dobble_print.rules.rulebook import explain_gaps
from dobble_print.theme.arithmetic import warn_about_sums
from dobble_print.theme.faces import warn_about_faces
from dobble_print.theme.model import Text, Theme
from dobble_print.theme.reader import NO_OVERRIDES, Overrides, examine_theme
from dobble_print.words.forms import strip_marks
from dobble_print.words.near import count_slips, suggest_names
from dobble_print.words.reading import explain_choice


@dataclass(frozen=True)
class CheckResult:
    """What a check found: the deck in words, faults by kind, and warnings.

    `artworks` are there when every picture could be opened; only then look-alikes are known.
    """

    theme: Theme
    words: str
    errors: tuple[DobbleError, ...]
    warnings: tuple[Fault, ...]
    artworks: tuple[Artwork, ...] = ()
    lookalikes: tuple[Lookalike, ...] = ()
    report: str = ""

    @property
    def faults(self) -> list[Fault]:
        """Return all faults in reading order; those without a line come last."""
        return sort_faults(fault for error in self.errors for fault in error.faults)

    @property
    def exit_code(self) -> ExitCode:
        """Return the exit code of the earliest stage that would fail."""
        return self.errors[0].exit_code if self.errors else ExitCode.OK

    @property
    def remarks(self) -> tuple[Fault, ...]:
        """Return what needs no change: homonyms, and what is alike only on a photocopy or to beginning readers."""
        pairs = [pair for pair in self.lookalikes if pair.is_remark]
        told = ((symbol.place, explain_choice(symbol.word, self.theme.languages)) for symbol in self.theme.symbols)
        choices = [Fault(what, place=place) for place, what in told if what]
        where = _describe_where(self.report, len(self.lookalikes))
        return *choices, *warn_about_lookalikes(list_shown(self.theme.symbols), pairs, *where)

    def list_lookalikes(self) -> list[dict[str, object]]:
        """Return the look-alikes as plain data: the two ids, the score, and who would confuse them."""
        ids = [symbol.id for symbol in list_shown(self.theme.symbols)]
        return [
            {"a": ids[pair.first], "b": ids[pair.second], "score": pair.score, "for": list(pair.seen_by)}
            for pair in self.lookalikes
        ]


def check_theme(
    path: Path, overrides: Overrides = NO_OVERRIDES, with_remarks: bool = False, report: str = ""
) -> CheckResult:
    """Check everything but the layout: theme, pictures, deck, paper; add remarks only when asked.

    `report` is the file in which all look-alikes will be drawn.
    """
    theme, faults = examine_theme(path, overrides)
    errors: list[DobbleError] = [ThemeError(*faults)] if faults else []
    gallery, art_faults = examine_gallery(theme.symbols)
    try:
        if theme.back.image:
            open_back(theme.back.image)
    except ArtworkError as error:
        art_faults += error.faults
    if art_faults:
        errors.append(ArtworkError(*art_faults))
    words, warnings = "", (*gallery.warnings, *find_slips(theme))
    if not faults:  # the deck of half a theme, and what is on none of its cards, would only confuse
        try:
            decks = deal_theme(theme)
            warnings += (
                *find_unused(theme, decks),
                *find_unfilled(theme),
                *warn_about_faces(theme.symbols),
                *warn_about_sums(theme.symbols),
            )
            warnings += explain_gaps(theme, decks)
            words = " ".join(filter(None, (explain_theme(theme), explain_faces(theme, decks), explain_fill(theme))))
            sheet_theme(theme)
        except DobbleError as error:
            errors.append(error)
    if art_faults:
        return CheckResult(theme, words, tuple(errors), warnings)
    shown = list_shown(theme.symbols)
    pictures = sketch_pictures(shown, gallery.artworks)
    unseen, faint = examine_visibility(theme, shown, pictures)
    errors += [ArtworkError(*unseen)] if unseen else []
    warnings += tuple(faint)
    lookalikes = find_lookalikes(shown, gallery.artworks, with_remarks, pictures)
    players = [pair for pair in lookalikes if not pair.is_remark]
    warnings += warn_about_lookalikes(shown, players, *_describe_where(report, len(lookalikes)))
    return CheckResult(theme, words, tuple(errors), warnings, gallery.artworks, lookalikes, report)


def find_slips(theme: Theme) -> tuple[Fault, ...]:
    """Warn about texts that are nearly words with a picture, all at once; in a deck of texts nothing is meant by it."""
    texts = [symbol for symbol in theme.symbols if isinstance(symbol.source, Text) and len(symbol.faces) == 1]
    if not texts or 2 * len(texts) > len(theme.symbols):
        return ()
    near = {
        text: _find_near(text, theme.languages)
        for text in (symbol.source.text for symbol in texts if isinstance(symbol.source, Text))
    }
    told = [f"{quote(text)} may be {list_words(map(quote, names))}" for text, names in near.items() if names]
    hint = "Mend them if they are slips; then they draw themselves."
    return (Fault(f"printed as words: {list_words(told, 'and')}", hint, texts[0].place),) if told else ()


def _find_near(text: str, languages: Sequence[str]) -> list[str]:
    """Return the words with a picture that a text is nearly written like."""
    bare = strip_marks(text.casefold())
    return [name for name in suggest_names(text, languages) if count_slips(bare, strip_marks(name.casefold()))]


def _describe_where(report: str, pairs: int) -> tuple[str, ...]:
    """Say in which file all pairs, or the worst of very many, are drawn; return nothing without a file."""
    if not report:
        return ()
    return (f"They are all in {report}." if pairs <= MOST_ROWS else f"The worst {MOST_ROWS} of all are in {report}.",)


def draw_report(result: CheckResult, name: str) -> dict[str, bytes]:
    """Draw the sheet of look-alikes under its name; return nothing where pictures could not be opened."""
    if not result.artworks:
        return {}
    shown = replace(result.theme, symbols=list_shown(result.theme.symbols))
    return {name: draw_lookalike_sheet(shown, result.artworks, result.lookalikes)}
