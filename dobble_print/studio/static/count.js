// Counts with every key: what so many symbols give, who waits, what the next full deck needs. The table is the program's.
import { ask } from "./api.js";
import { arrange, h } from "./dom.js";
import { t } from "./texts.js";

const FIRST = 7; // words make a first full deck
const STEPS = [7, 13, 21, 31, 57];
const MORE_STEPS = [73, 91];
let table = {};
let full = [];
let fewest = 7;

export async function loadArithmetic() {
  ({ table, full, fewest } = await ask("GET", "arithmetic"));
}

/** Return cards, symbols a card, and how many wait; nulls below seven. */
export function deal(count) {
  return table[count] ?? [0, 0, 0];
}

/** Return the next full deck above a count, and the symbols on its cards. */
export function nextFull(count) {
  return full.find(([size]) => size > count) ?? null;
}

const isFull = (count) => full.some(([size]) => size === count);

/** Return the words that a text holds: one a line, or with commas; a table's row is one. */
export function countWords(text) {
  const lines = text.split(/\n/).map((line) => line.trim()).filter(Boolean);
  const words = lines.flatMap((line) => (line.includes("\t") ? [line] : line.split(/[,;]/))).map((word) => word.trim().toLocaleLowerCase());
  return new Set(words.filter(Boolean)).size;
}

/** Return the live line: sentences with the class each is shown in, and how many would complete the next deck.
 *
 * `line` has a game's own numbers, where it asks for another number of symbols on a card. */
export function describe(count, line = null) {
  if (count === 0) return { said: [["", t("line.none")]], more: 0 };
  if (count < fewest) {
    const need = { n: FIRST - count };
    return { said: [["strong", t("line.words", { n: count })], ["", t("line.try", need, { words: true })]], more: need.n };
  }
  const [cards, per, waiting] = line ? [line.cards, line.per_card, line.waiting.length] : deal(count);
  const said = [["strong", t("line.deck", { symbols: count, cards, per })]];
  if (cards === count && isFull(count)) return { said: [...said, ["full", t("line.full")]], more: 0 };
  if (waiting) said.push(["waiting", t("line.waiting", { n: waiting }, { words: true })]);
  const next = nextFull(count);
  if (next) said.push(["", t("line.more", { n: next[0] - count, cards: next[0], per: next[1] }, { words: true })]);
  return { said, more: next ? next[0] - count : 0 };
}

/** Draw the ladder of full decks for a count. */
export function drawLadder(list, count) {
  const steps = count >= 57 ? [...STEPS, ...MORE_STEPS] : STEPS;
  const at = steps.findIndex((step) => step > count);
  const from = at > 0 ? steps[at - 1] : 0;
  const part = at < 0 ? steps.length : at + (count - from) / (steps[at] - from);
  list.style.setProperty("--fill", `${(part / steps.length) * 100}%`);
  const nodes = steps.map((step, index) => list.children[index] ?? h("li"));
  nodes.forEach((node, index) => {
    const step = steps[index];
    node.className = `${step <= count ? "done" : ""} ${step === count ? "here" : ""}`.trim();
    const [number, ...rest] = t("line.step", { cards: step, per: deal(step)[1] }).split(/(?<=^\d+)\s/);
    node.replaceChildren(h("b", {}, number), " ", h("span", {}, rest.join(" ")));
  });
  arrange(list, nodes);
}
