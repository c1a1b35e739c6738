// Draws cards as SVG from their placements: one <image> a symbol. No script of a picture runs there, and no id clashes.
import { art } from "./api.js";
import { s } from "./dom.js";
import { t } from "./texts.js";

const RING = 1.6; // mm between a symbol and the ring around it

/** Draw a card; `match` is the id of a symbol to ring. */
export function drawCard(deck, card, { match = "", fresh = false } = {}) {
  const hit = match && card.spots.find((spot) => spot[1] === match);
  const rim = card.rim ?? deck.rim;
  const inside = rim ? deck.rim_width_mm : 0;
  return s(
    "svg",
    { class: fresh ? "card fresh" : "card", viewBox: `0 0 ${deck.width_mm} ${deck.height_mm}`, "aria-hidden": "true", focusable: "false" },
    inside ? outline(deck, 0, rim) : [],
    outline(deck, inside, deck.background),
    card.spots.map((spot) => drawSpot(deck, spot)),
    hit ? drawRing(hit) : [],
  );
}

/** The card's outline, that far inside the cut: its shapes are regular, so that smaller is scaled. */
function outline(deck, inside, fill) {
  const [x, y] = [deck.width_mm / 2, deck.height_mm / 2];
  if (deck.shape === "round") return s("circle", { cx: x, cy: y, r: x - inside, fill });
  const scale = 1 - (2 * inside) / deck.size_mm;
  const points = deck.outline.map(([px, py]) => `${(x + (px - x) * scale).toFixed(2)},${(y + (py - y) * scale).toFixed(2)}`);
  return s("polygon", { points: points.join(" "), fill });
}

function drawSpot(deck, [digest, , x, y, turn, diameter]) {
  const box = deck.art[digest];
  const k = diameter / (2 * box.r);
  const size = { x: (-box.cx * k).toFixed(2), y: (-box.cy * k).toFixed(2), width: (box.w * k).toFixed(2), height: (box.h * k).toFixed(2) };
  return s("image", { href: art(digest), ...size, preserveAspectRatio: "none", transform: `translate(${x} ${y}) rotate(${turn})` });
}

function drawRing([, , x, y, , diameter]) {
  const place = { pathLength: 1, cx: x, cy: y, r: (diameter / 2 + RING).toFixed(1) };
  return ["out", "in"].map((part) => s("circle", { class: `ring ${part}`, ...place }));
}

/** Return the symbol that two cards share. */
export function shared(one, other) {
  const known = new Set(other.spots.map((spot) => spot[1]));
  return one.spots.map((spot) => spot[1]).find((symbol) => known.has(symbol));
}

/** Return what two drawings of a card have to differ in to be drawn anew. */
export function cardKey(deck, card) {
  return JSON.stringify([deck.shape, deck.size_mm, deck.rim, deck.rim_width_mm, deck.background, card.rim, card.spots]);
}

export function label(card, nameOf) {
  return t("cards.label", { n: card.n, names: card.spots.map((spot) => nameOf(spot[1])).join(", ") });
}
