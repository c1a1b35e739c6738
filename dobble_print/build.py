"""The pipeline: compose → print → prove → check, and then deliver; whoever builds a deck calls `make`.

The command line, batches, shared sheets and the Python API all come through here.

Invariant: the files of a result are complete in memory, proved, and free of faults of our own before any is delivered;
where they are not, what was delivered earlier stays untouched.
"""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dobble_print.compose import UNWATCHED, Composition, OnStep, Watch, compose_deck, make_look, sheet_theme
from dobble_print.deck.design import Deck, show_cards
from dobble_print.errors import ArtworkError, ExitCode, Fault, UsageError, VerifyError
from dobble_print.files import deliver
from dobble_print.options import DEFAULTS, BuildOptions, Mark
from dobble_print.pdf.render import CARD_PX, render_page
from dobble_print.prepress.cut_layer import check_cut_name
from dobble_print.prepress.forms import FormLibrary
from dobble_print.prepress.low_ink import draw_with_little_ink
from dobble_print.prepress.prepare import Prepress
from dobble_print.prepress.thin_lines import LEAST_PT
from dobble_print.press.booklet.book import plan_booklet
from dobble_print.press.booklet.format import find_size
from dobble_print.press.document import Order, PrintableDeck, print_sheets
from dobble_print.press.legend import make_legend
from dobble_print.press.pictures import make_pictures
from dobble_print.press.printers import load_printer, parse_offset, parse_scale
from dobble_print.press.record import compare_records, read_record, write_record
from dobble_print.rules.rulebook import explain_gaps
from dobble_print.sheets.marks import choose_words
from dobble_print.sheets.nesting import Nest
from dobble_print.sheets.pages import Sheet, plan_contact_sheet
from dobble_print.sheets.plan import Batch, gang_batches, plan_fronts
from dobble_print.theme.model import Theme
from dobble_print.units import TRUE_PRINT, Correction, Point, show_count

if TYPE_CHECKING:
    from dobble_print.preflight.limits import ShopCheck
    from dobble_print.verify.proof import Proof


GANG = "gang"
RECORD = "deck.json"
EXTRAS = ("booklet.pdf", "booklet-print.pdf", "legend.pdf")  # which show the cards of one deck
MARK_MARGIN_MM = 5.8
# files that only some builds of a whole deck make
SOMETIMES = ("cards.pdf", "backs.pdf", "cut.*", "cut-last.*", "cards/*.png", "tabletop/*")
FORMULA_SIGNS = ("=", "+", "-", "@")  # with which a formula begins in a spreadsheet program
A_BUG = "it is a bug in dobble-print."
UNPROVED = f"Nothing was written. If its pictures can be seen on the card's colour, tell us: {A_BUG}"
OUR_FAULT = f"Nothing was written. Tell us: {A_BUG}"


class DeckOrder(NamedTuple):
    """A deck to make: its theme, and what is asked for besides."""

    theme: Theme
    options: BuildOptions = DEFAULTS


@dataclass(frozen=True, eq=False)
class Box:
    """What goes into one folder: its files by name, its figures, and what is known of it; no nest, no cards."""

    theme: Theme
    decks: tuple[Deck, ...]
    deck_id: str
    files: dict[str, bytes]
    nest: Nest | None = None
    printed: int = 0
    warnings: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    check: ShopCheck | None = None

    @property
    def obsolete(self) -> tuple[str, ...]:
        """Patterns of what an earlier build of the whole deck may have left; files of this one stay."""
        whole = "picklist.csv" in self.files or ("deck.json" in self.files and self.nest)
        return SOMETIMES if whole else ()

    @property
    def name(self) -> str:
        """What its folder is called."""
        return self.theme.name

    @property
    def summary(self) -> dict[str, object]:
        """The box in figures."""
        used = {symbol for deck in self.decks for card in deck.cards for symbol in card.symbols}
        figures: dict[str, object] = {
            "id": self.deck_id,
            "cards": sum(len(deck.cards) for deck in self.decks),
            "symbols": len(used),
            "symbols_per_card": [deck.symbols_per_card for deck in self.decks],
            "printed_cards": self.printed,
        }
        if self.nest and self.theme.pictures.kind == "none":
            figures |= {
                "paper": self.nest.paper.name,
                "cards_per_sheet": len(self.nest.centres),
                "sheets": math.ceil(self.printed / len(self.nest.centres)),
            }
        return figures | ({"profile": self.theme.profile} if self.theme.profile else {})

    def describe(self) -> str:
        """Return what was made, in one line."""
        figures, card = self.summary, self.theme.card
        decks = " + ".join(show_cards(len(deck.cards), deck.symbols_per_card) for deck in self.decks)
        label = f"deck {self.deck_id}, " if self.deck_id else ""
        printed = ""
        if "sheets" in figures:
            sheets = f"{figures['sheets']} × {figures['paper']}, {figures['cards_per_sheet']} a sheet"
            printed = f"; {show_count(self.printed, f'{card.shape} card')} of {card.size_mm:g} mm on {sheets}"
        return f"{self.name}: {label}{decks} from {figures['symbols']} symbols{printed}"

    def describe_saving(self) -> str:
        """Return how to save a sheet that holds one card; nothing where none does."""
        per_sheet = len(self.nest.centres) if self.nest and self.theme.pictures.kind == "none" else 1
        is_one = per_sheet > 1 and self.printed > per_sheet and self.printed % per_sheet == 1
        if not is_one or self.summary["cards"] != self.printed or self.theme.deck.levels or self.theme.teams:
            return ""
        return f"the last sheet holds one card: --cards {self.printed - 1} saves a sheet"

    def describe_proofs(self) -> list[str]:
        """Return what was proved of the pairs, in a line a file."""
        pairs = [claim for proof in self.proofs.values() for claim in proof.claims if claim.name == "pairs"]
        return [f"proved: {claim.what}" for claim in pairs if claim.verdict == "proved"]

    def as_dict(self) -> dict[str, Any]:
        """Return the box as plain data."""
        return {
            "theme": self.name,
            "deck": self.summary,
            "warnings": [fault.as_dict() for fault in self.warnings],
            "notes": list(self.notes),
            "proof": {name: proof.as_dict() for name, proof in self.proofs.items()},
            **({"preflight": self.check.as_dict()} if self.check else {}),
        }


@dataclass(frozen=True, eq=False)
class Result:
    """What a build made: one box, or shared sheets and then a box for each of their decks."""

    boxes: tuple[Box, ...]

    @property
    def files(self) -> dict[str, bytes]:
        """The files of the first box, by name."""
        return self.boxes[0].files

    @property
    def exit_code(self) -> ExitCode:
        """PREFLIGHT where the customer's pictures break a print shop's rule, else OK."""
        failed = any(box.check and not box.check.passed for box in self.boxes)
        return ExitCode.PREFLIGHT if failed else ExitCode.OK

    def deliver(self, folder: Path) -> dict[str, list[Path]]:
        """Write every box into a folder of its own below `folder`, and return the paths by its name."""
        return {
            box.name: deliver(folder / box.name, box.files, self._list_obsolete(box, folder), folder)
            for box in self.boxes
        }

    def _list_obsolete(self, box: Box, folder: Path) -> tuple[str, ...]:
        """Return patterns of what an earlier build may have left; of another deck also its booklet and legend."""
        is_new = RECORD in box.files and read_record(folder / box.name / RECORD).get("id", box.deck_id) != box.deck_id
        return (*box.obsolete, *(EXTRAS if is_new else ()))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as `--json` and reports tell it."""
        return self.boxes[0].as_dict() | {"exit_code": self.exit_code}


class StepTimer:
    """Measures how long each step takes, and passes on which one begins."""

    def __init__(self, on_step: OnStep = lambda step: None) -> None:
        self.seconds: dict[str, float] = {}
        self._on_step, self._step = on_step, ("", 0.0)

    def begin(self, step: str) -> None:
        """End the last step and begin this one."""
        self.stop()
        self._step = (step, time.perf_counter())
        self._on_step(step)

    def stop(self) -> None:
        """End the last step."""
        (name, since), self._step = self._step, ("", 0.0)
        if name:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.perf_counter() - since, 3)


def make(
    orders: Sequence[DeckOrder],
    on_step: OnStep = lambda step: None,
    *,
    gang: bool = False,
    cards: bool = True,
    box: bool = True,
) -> Result:
    """Make decks: compose, print, prove and check them.

    With `gang` their cards share sheets; then, without `box`, there are only the sheets. Without `cards` there is only
    what else is in a box. Raises the error of the first step that fails; what is wrong with a customer's pictures is in
    the result.
    """
    boxes = print_gang(orders, on_step, box) if gang else [print_deck(*order, on_step, cards) for order in orders]
    on_step("proof")
    boxes = [replace(each, proofs=prove_box(each)) for each in boxes]
    on_step("preflight")
    boxes = [replace(each, check=check_box(each)) for each in boxes]
    return Result(tuple(boxes))


def preview(theme: Theme, options: BuildOptions = DEFAULTS, watch: Watch = UNWATCHED) -> Composition:
    """Return the cards of a deck as a build with the same options prints them: the pipeline, stopped after the layout.

    `layouts` of what is returned has the placements by card number; each names a piece, whose drawing is in `artworks`
    (its `digest` says what it shows, `master.svg` is the clean drawing, `master.picture` the pixels). With a cache in
    use (`use_cache`), nothing that a preview has found is looked for again: not by the next one, which lays out only
    the cards that show something else, nor by the build. In a long-lived process call it again and again; it keeps
    nothing of a theme. To cancel it, raise an exception of your own in a function of the watch:

        class Newer(Exception): ...
        def stop() -> None:
            if newer.is_set():
                raise Newer
        deck = preview(theme, watch=Watch(on_cards=send, on_pulse=stop))
    """
    return compose_deck(make_room_for_mark(theme, options.read_mark()), watch, options.copies)


def print_deck(
    theme: Theme, options: BuildOptions = DEFAULTS, on_step: OnStep = lambda step: None, cards: bool = True
) -> Box:
    """Compose and print one deck; with `options.only`, just the sheets of those cards, exactly as they were."""
    options.check()
    if cards:
        _check_options(theme, options)
    library = FormLibrary(make_prepress(theme, options))
    deck = preview(theme, options, Watch(on_step))
    printable, numbers = make_printable(deck, library), _choose_numbers(list(deck.layouts), options.only)
    files = _print_cards(printable, numbers, deck.sheet, options, on_step) if cards else {}
    if not options.only:
        files |= finish_box(deck, printable, options, on_step)
    made = _make_box(deck, printable, files)
    if not cards:
        return made
    warnings = (
        *_warn_about_mark(options),
        *_warn_about_reprint(deck, options),
        *made.warnings,
        *_warn_about_lines(printable),
    )
    if options.back_offset is not None and not printable.prints_backs:
        warnings = (Fault("--back-offset shifts backs, and these cards have none", "Leave it out."), *warnings)
    return replace(made, nest=deck.sheet.nest, printed=len(numbers) * options.copies, warnings=warnings)


def _check_options(theme: Theme, options: BuildOptions) -> None:
    """Refuse at once what would be found out only when most of the work is done."""
    find_size(options.booklet_size)
    if theme.pictures.kind != "none" and options.copies > 1:
        raise UsageError(Fault("--copies: pictures are made once; whoever prints them copies them", "Leave it out."))


def _print_cards(
    printable: PrintableDeck, numbers: list[int], sheet: Sheet, options: BuildOptions, on_step: OnStep
) -> dict[str, bytes]:
    if printable.theme.pictures.kind != "none":
        on_step("pictures")
        return make_pictures(printable, numbers)
    on_step("sheets")
    batch = printable.make_batch(numbers, options.copies, options.read_mark())
    return print_sheets(_sheet_name(options.only), batch, sheet, make_order(printable, printable.title, options))


def _warn_about_lines(printable: PrintableDeck) -> list[Fault]:
    """Warn about drawings whose lines were too thin for a press."""
    theme, thin = printable.theme, printable.library.thin_lines
    shown = zip((theme.symbols[number] for number, _ in theme.pieces), printable.forms, strict=False)
    found = [(symbol, f"lines of {thin[form]:.2g} pt") for symbol, form in shown if form in thin]
    now = f"are {LEAST_PT:g} pt wide now, as thin as a plate can hold"
    return [Fault(f'symbol "{symbol.id}": {lines} {now}', "", symbol.place) for symbol, lines in found]


def _warn_about_mark(options: BuildOptions) -> list[Fault]:
    """Warn that a mark tells copies apart, and one deck has none to be told from."""
    mark = options.read_mark()
    if mark == "none" or options.copies > 1:
        return []
    what = f"--mark {mark} tells copies apart, but there is only one: all its cards get the letter A"
    return [Fault(what, "Add --copies 2 or more, or leave it out.")]


def _warn_about_reprint(deck: Composition, options: BuildOptions) -> list[Fault]:
    """Warn where the cards of a reprint are not those that the record beside them tells of."""
    if not options.only:
        return []
    path = options.output / deck.theme.name / RECORD
    now = json.loads(write_record(deck.theme, deck.decks, deck.deck_id, deck.layouts))
    told = compare_records(read_record(path), now, options.only)
    hint = "Reprint with the list and the options that it was made with, or build the whole deck anew."
    return [Fault(f"{path} {told}", hint)] if told else []


def make_printable(deck: Composition, library: FormLibrary) -> PrintableDeck:
    """Return a deck as the press prints it, drawn with little ink where the theme asks for that."""
    theme, look = deck.theme, deck.sheet.look
    forms, warnings = draw_with_little_ink(deck.forms, theme) if theme.sheet.low_ink else (deck.forms, ())
    return PrintableDeck(deck.fronts, deck.back, look, forms, theme, deck.deck_id, deck.sizes_mm, library, warnings)


def make_order(printable: PrintableDeck, title: str, options: BuildOptions) -> Order:
    """Return what the sheets are for."""
    return Order(printable, title, write_note(printable.theme, options), *find_fixes(options))


def find_fixes(options: BuildOptions) -> tuple[Correction, Point]:
    """Return the kept printer's correction, or what is given in its place, and how far the fronts are shifted."""
    known = load_printer(options.printer) if options.printer else TRUE_PRINT
    shift = parse_offset(options.back_offset) if options.back_offset is not None else (known.dx_mm, known.dy_mm)
    scale = parse_scale(options.scale) if options.scale is not None else known.scale
    fronts = parse_offset(options.front_offset) if options.front_offset is not None else (0.0, 0.0)
    return Correction(*shift, scale), fronts


def make_room_for_mark(theme: Theme, mark: Mark) -> Theme:
    """Return the theme with symbols that leave room for a letter that a child can read, where copies are marked."""
    margin = theme.layout.margin_mm if mark == "none" else max(theme.layout.margin_mm, MARK_MARGIN_MM)
    return replace(theme, layout=replace(theme.layout, margin_mm=margin))


def finish_box(
    deck: Composition, printable: PrintableDeck, options: BuildOptions, on_step: OnStep = lambda step: None
) -> dict[str, bytes]:
    """Make everything in the box but the cards: record, preview, booklet and legend."""
    theme, shape = deck.theme, deck.sheet.look.shape
    on_step("preview")
    contact = plan_contact_sheet(list(deck.layouts), shape, printable.prints_backs)
    width_px = round(contact.paper.width_mm / shape.width_mm * CARD_PX)
    files = {
        RECORD: write_record(theme, deck.decks, deck.deck_id, deck.layouts),
        "preview.png": render_page(printable.print_plain(contact), width_px),
    }
    if options.booklet:
        on_step("booklet")
        booklet = plan_booklet(printable, deck.decks, deck.artworks, size=options.booklet_size)
        files["booklet.pdf"] = booklet.draw()
        files["booklet-print.pdf"] = booklet.impose(files["booklet.pdf"])
    if options.legend:
        on_step("legend")
        files["legend.pdf"] = make_legend(printable, deck.artworks)
    return files


def make_prepress(theme: Theme, options: BuildOptions) -> Prepress:
    """Return what the machine needs that prints the sheets; raise a `UsageError` where options exclude each other."""
    if theme.press.cut_path != "none":
        check_cut_name(theme.press.cut_name)
    if theme.press.standard == "none":
        if options.output_profile:
            what = "--output-profile is for a print shop's PDF"
            raise UsageError(Fault(what, "Add --profile shop-sra3-x4, or leave it out."))
        return Prepress(theme.press)
    if find_fixes(options) != (TRUE_PRINT, (0.0, 0.0)):
        what = "offsets and --scale put an office printer right; a press is set on the press"
        raise UsageError(Fault(what, "Leave them out."))
    from dobble_print.prepress.inks import load_output_profile

    moment = datetime(*options.date.timetuple()[:3]) if options.date else None
    return Prepress(theme.press, load_output_profile(options.output_profile or theme.press.output_profile), moment)


def write_note(theme: Theme, options: BuildOptions) -> str:
    """Return what the line on every sheet says after the deck: job, paper, profile, and the date where it is wanted."""
    job = options.job and choose_words(theme).job.format(id=options.job)
    return " · ".join(filter(None, (job, theme.sheet.paper.name, theme.profile, str(options.date or ""))))


def _choose_numbers(known: Sequence[int], only: Sequence[int]) -> list[int]:
    unknown = [str(number) for number in only if number not in known]
    if unknown:
        raise UsageError(Fault(f"there is no card {', '.join(unknown)}", f"This deck has cards 1 to {known[-1]}."))
    return sorted(set(only)) or list(known)


def _sheet_name(only: Sequence[int]) -> str:
    """Name the file of sheets; a reprint has a name of its own, as the sheets of the whole deck must survive it."""
    if not only:
        return "cards.pdf"
    steps = groupby(enumerate(sorted(set(only))), lambda pair: pair[1] - pair[0])  # the same along a run
    runs = [[number for _, number in run] for _, run in steps]
    parts = [f"{run[0]}to{run[-1]}" if len(run) > 2 else "-".join(map(str, run)) for run in runs]
    return f"cards-{'-'.join(parts)}.pdf"


def print_gang(orders: Sequence[DeckOrder], on_step: OnStep = lambda step: None, box: bool = True) -> list[Box]:
    """Compose decks and print them on shared sheets, with a pick list; with `box`, what else each of them has too."""
    theme, options = orders[0]
    for order in orders:
        order.options.check()
    library = FormLibrary(make_prepress(theme, options))
    _refuse_different(orders)
    decks = [preview(*order, Watch(on_step)) for order in orders]
    on_step("sheets")
    printables = [make_printable(deck, library) for deck in decks]
    batch = gang_batches([_make_batch(deck, order.options) for deck, order in zip(printables, orders, strict=True)])
    sheet = replace(sheet_theme(decks[0].theme, len(batch.cards)), look=decks[0].sheet.look)
    title = " + ".join(deck.title for deck in printables)
    sheets = print_sheets("cards.pdf", batch, sheet, make_order(printables[0], title, replace(options, job="")))
    files = {**sheets, "picklist.csv": write_pick_list(batch, sheet)}
    all_decks = tuple(part for deck in decks for part in deck.decks)
    shared = Box(replace(decks[0].theme, name=GANG), all_decks, "", files, sheet.nest, len(batch.cards))
    boxed = zip(decks, printables, orders, strict=True) if box else ()
    return [
        replace(shared, warnings=tuple(fault for each in printables for fault in _warn_about_lines(each))),
        *(_make_box(deck, each, finish_box(deck, each, order.options, on_step)) for deck, each, order in boxed),
    ]


def _make_box(deck: Composition, printable: PrintableDeck, files: dict[str, bytes]) -> Box:
    gaps = explain_gaps(deck.theme, deck.decks) if "booklet.pdf" in files else ()
    warnings = (*deck.warnings, *printable.warnings, *gaps)
    return Box(deck.theme, deck.decks, deck.deck_id, files, warnings=warnings, notes=deck.notes)


def _make_batch(deck: PrintableDeck, options: BuildOptions) -> Batch:
    """Return a deck's cards, each of which says what job it belongs to, where there is one."""
    batch, job = deck.make_batch(list(deck.fronts), options.copies, options.read_mark()), options.job
    passed_on = options.passed_on
    cards = {key: replace(card, deck=f"{job} · {card.deck}", passed_on=passed_on) for key, card in batch.cards.items()}
    return Batch(cards, batch.forms) if job else batch


def _refuse_different(orders: Sequence[DeckOrder]) -> None:
    first, faults = orders[0].theme, list[Fault]()
    for theme, _ in orders[1:]:
        traits = list_traits(theme)
        differences = [words for words, trait in list_traits(first).items() if trait != traits[words]]
        if differences:
            what = f"{theme.name} and {first.name} cannot share sheets: {differences[0]}"
            faults.append(Fault(what, "Build them apart."))
    UsageError.raise_any(faults)


def list_traits(theme: Theme) -> dict[str, object]:
    """Return what themes that share sheets must agree on, by what one says where they do not."""
    separate_back = theme.back if theme.sheet.duplex == "separate" else None  # others lie behind their own cards
    return {
        "their cards differ in shape or size": make_look(theme).shape,
        "their papers differ": theme.sheet.paper,
        "their sheet options differ": theme.sheet,
        "their press options differ": theme.press,
        "one is on labels or for a plotter": (theme.labels, theme.plotter),
        "one is made of pictures": theme.pictures,
        "their backs differ, and separate backs are one page for all": separate_back,
    }


def sort_gangs(orders: Iterable[DeckOrder]) -> list[list[DeckOrder]]:
    """Return decks that can share sheets together: they look the same on paper and are asked for in the same way."""
    gangs: dict[object, list[DeckOrder]] = {}
    for order in orders:
        theme, options = order
        paper = (options.booklet, options.legend, options.booklet_size, options.output_profile, options.dated)
        gangs.setdefault((*paper, find_fixes(options), *list_traits(theme).values()), []).append(order)
    return list(gangs.values())


def write_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet program takes for a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA_SIGNS) else text


def write_pick_list(batch: Batch, sheet: Sheet) -> bytes:
    """Which card lies where, so that a pile of cut cards becomes decks again."""
    sink = io.StringIO()
    rows = csv.writer(sink, lineterminator="\n")
    others = list(dict.fromkeys(name for card in batch.cards.values() for name, _ in card.passed_on))
    rows.writerow(["sheet", "place", "deck", "card", "copy", *map(write_cell, others)])
    for number, page in enumerate(plan_fronts(sheet.nest, list(batch.cards)), start=1):
        for place, slot in enumerate(page.slots, start=1):
            card = batch.cards[slot.card]
            front = card.front.letter + str(card.front.number)
            which = [number, place, write_cell(card.deck), front, card.promise.copy]
            rows.writerow([*which, *(write_cell(dict(card.passed_on).get(name, "")) for name in others)])
    return sink.getvalue().encode()


def prove_box(box: Box) -> dict[str, Proof]:
    """Return the proof of every file with cards; raises a `VerifyError`, or says which picture cannot be seen."""
    from dobble_print.verify.prove import prove_pdf

    sheets = [name for name in box.files if name.endswith(".pdf") and name.startswith(("cards", "backs"))]
    proofs = {name: prove_pdf(box.files[name]) for name in sheets}
    faults = [
        Fault(f"{box.name}/{name} breaks a promise: {claim.what}", UNPROVED)
        for name, proof in proofs.items()
        for claim in proof.claims
        if claim.verdict in ("wrong", "unknown")
    ]
    if faults:
        _refuse_unseen(box.theme)
    VerifyError.raise_any(faults)
    return proofs


def _refuse_unseen(theme: Theme) -> None:
    from dobble_print.art.gallery import open_gallery
    from dobble_print.art.similarity.lookalikes import examine_visibility, list_shown, sketch_pictures

    shown = list_shown(theme.symbols)
    unseen, _ = examine_visibility(theme, shown, sketch_pictures(shown, open_gallery(theme.symbols).artworks))
    ArtworkError.raise_any(unseen)


def check_box(box: Box) -> ShopCheck | None:
    """Check a print shop's files; raises a `VerifyError` where a rule fails that only we can break."""
    if box.theme.press.standard == "none":
        return None
    from dobble_print.preflight.limits import check_files

    check = check_files(box.theme, box.files)
    VerifyError.raise_any(
        Fault(f"{box.name}/{name} breaks a rule of the preflight: {finding.rule}: {finding.what}", OUR_FAULT)
        for name, finding in (check.list_own_faults() if check else ())
    )
    return check
