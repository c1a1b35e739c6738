// Your list: what is typed, dropped and pasted; what is worth a look; who plays and who waits.
import { describe, drawLadder } from "./count.js";
import { $, arrange, button, h, icon, keeper, put, write } from "./dom.js";
import { cardKey, drawCard } from "./draw.js";
import * as editor from "./editor.js";
import { makeGrid } from "./grid.js";
import { chooseFiles, PICTURES, TABLES } from "./intake.js";
import { canFill, firstArt, isWaiting, nameOf, pictureOf } from "./model.js";
import { draw as drawRemark } from "./remarks.js";
import { announce, notify, openDialog } from "./say.js";
import { change, hear, send, state, undo } from "./state.js";
import { nameOfLanguage, row, t } from "./texts.js";

const FLASH_S = 8;
const SHOWN = 3; // symbols with remarks, where there are more than four
const tiles = new Map(); // a tile for each symbol, wherever it stands
let showAllLooks = false;
let flashEnd = 0;
let flashTimer = 0;
let refreshGrid = () => {};
let takeFiles = () => {};

export function begin({ files }) {
  takeFiles = files;
  $("add").addEventListener("submit", addTyped);
  $("word").addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    addText(text);
  });
  $("pictures").addEventListener("click", async () => takeFiles(await chooseFiles({ accept: `${PICTURES},${TABLES}` }), ""));
  $("drawings").addEventListener("click", () => editor.openSearch());
  refreshGrid = makeGrid([$("look-list"), $("tiles"), $("waiting")], ".face");
  for (const list of [$("look-list"), $("tiles"), $("waiting")]) {
    list.addEventListener("keydown", onKey);
    for (const kind of ["dragstart", "dragover", "dragleave", "dragend", "drop"]) list.addEventListener(kind, onDrag);
  }
  hear("open", () => {
    tiles.clear();
    showAllLooks = false;
    endFlash();
  });
  hear("doc", draw);
  hear("cards", drawLive);
}

export function translate() {
  $("word").placeholder = t("list.type");
  put($("side"), "aria-label", t("list.live"));
  if (state.doc) {
    tiles.clear();
    draw();
    drawLive(state.cards);
  }
}

/** Add words, a table, or anything that is written; say what was taken. */
export async function addText(text) {
  const answer = await send("POST", (doc) => [`decks/${state.id}/read`, { rev: doc.rev, text, by: state.tab }]);
  if (answer) sayTaken(answer);
  return answer;
}

/** Add what a spreadsheet holds. */
export async function addTable(file, type) {
  const answer = await send("POST", () => [`decks/${state.id}/read?name=${encodeURIComponent(file.name)}`, file], true, { type });
  if (answer) sayTaken(answer);
  return answer;
}

/** Say what was taken of a list, and in a notice what was not: nothing is lost unseen. */
function sayTaken({ added = [], there = [], ...rest }) {
  sayAdded(added, there);
  sayLeft(rest);
}

export function sayLeft({ refused = [], left_out: left = 0 }) {
  if (refused.length) notify("list", t("line.refused", { names: row(refused) }));
  if (left) notify("many", t("line.left_out", { n: left, most: state.doc.symbols.length }, { words: true }));
}

async function addTyped(event) {
  event.preventDefault();
  const text = $("word").value;
  if (!text.trim()) return;
  $("word").value = "";
  $("word").focus(); // at once: by the time of the answer one may be elsewhere
  if (!(await addText(text)) && !$("word").value) $("word").value = text;
}

export function sayAdded(added, there) {
  const said = [];
  if (added.length && added.length <= 3) said.push(t("line.added_names", { names: row(added.map(String)) }));
  else if (added.length) said.push(t("line.added", { n: added.length }));
  if (there.length) said.push(t("line.already", { n: there.length }, { words: true }));
  flash(said.join(" ") || t("line.nothing_added"));
}

/** Say something in the place of the live line for a while. */
function flash(text, ...acts) {
  flashEnd = Date.now() + FLASH_S * 1000;
  $("line").replaceChildren(h("b", {}, text), ...acts);
  announce(text);
  clearTimeout(flashTimer);
  flashTimer = setTimeout(() => {
    endFlash();
    drawLine();
  }, FLASH_S * 1000);
}

export function endFlash() {
  flashEnd = 0;
  clearTimeout(flashTimer);
}

function draw() {
  const { doc } = state;
  if (!doc) return;
  drawLine();
  drawNames();
  drawTiles();
  write($("n-list"), String(doc.symbols.length || ""));
}

function drawLine() {
  if (!state.doc) return;
  const { line } = state.doc;
  const count = line.playing;
  drawLadder($("ladder"), count);
  if (Date.now() < flashEnd) return;
  const { said, more } = describe(count, line.cards ? line : null);
  const nodes = said.flatMap(([kind, text]) => {
    if (kind === "strong") return [h("b", {}, text), " "];
    if (kind === "waiting") return [h("button", { type: "button", class: "linkish", onclick: showWaiting }, text), " "];
    return [h("span", { class: kind }, text), " "];
  });
  if (more && canFill(more)) nodes.push(button(t("line.fill", { n: more }, { words: true }), () => fill(more), { small: true }));
  const text = said.map(([, part]) => part).join(" ");
  if ($("line").textContent !== nodes.map((node) => node.textContent ?? node).join("")) {
    const had = $("line").contains(document.activeElement);
    $("line").replaceChildren(...nodes);
    if (had) $("word").focus();
    if (!$("p-list").hidden && document.body.dataset.place === "list") announce(text);
  }
}

function showWaiting() {
  $("waiting-part").scrollIntoView({ block: "center" });
  $("wait-h").focus({ preventScroll: true });
}

async function fill(n) {
  const old = new Set(state.doc.symbols.map((symbol) => symbol.id));
  if (!(await change([{ op: "fill", count: n }]))) return;
  sayAdded(state.doc.symbols.filter((symbol) => !old.has(symbol.id)).map(nameOf), []);
}

// names in which languages

const chips = keeper(
  (code) => h("button", { type: "button", class: "chip", onclick: () => chooseLanguage(code) }),
  (node, code) => write(node, nameOfLanguage(code)),
);
let adder = null;

function drawNames() {
  adder ??= h("button", { type: "button", class: "chip", onclick: addLanguage }, "+");
  put(adder, "aria-label", t("list.add_language"));
  const label = h("span", {}, t("list.names"));
  arrange($("names"), [$("names").querySelector(":scope > span") ?? label, ...chips(state.doc.languages, (code) => code), adder]);
  write($("names").querySelector(":scope > span"), t("list.names"));
}

function addLanguage() {
  const { doc } = state;
  const choose = (code) => {
    close();
    setLanguages([...doc.languages, code]);
  };
  const known = new Intl.Collator(document.documentElement.lang);
  const choices = (state.languages ?? [])
    .filter(({ code }) => !doc.languages.includes(code))
    .sort((a, b) => Number(b.lexicon) - Number(a.lexicon) || known.compare(nameOfLanguage(a.code), nameOfLanguage(b.code)))
    .map(({ code }) => button(nameOfLanguage(code), () => choose(code)));
  const close = openDialog(t("list.add_language"), [h("div", { class: "choices" }, choices)]);
}

function chooseLanguage(code) {
  const { languages } = state.doc;
  const act = (list) => () => {
    close();
    setLanguages(list);
  };
  const others = languages.filter((each) => each !== code);
  const acts = [];
  if (languages[0] !== code) acts.push(button(t("list.main_language"), act([code, ...others])));
  if (others.length) acts.push(button(t("list.remove_language", { language: nameOfLanguage(code) }), act(others)));
  acts.push(button(t("list.add_language"), () => addLanguage()));
  const close = openDialog(nameOfLanguage(code), [h("div", { class: "choices" }, acts)]);
}

const setLanguages = (languages) => change([{ op: "look", values: { languages } }]);

// tiles

function drawTiles() {
  const { doc } = state;
  const remarks = new Map();
  for (const remark of doc.remarks) if (!remarks.has(remark.symbol)) remarks.set(remark.symbol, remark);
  const waiting = doc.symbols.filter((symbol) => isWaiting(symbol));
  const playing = doc.symbols.filter((symbol) => !isWaiting(symbol));
  const looks = doc.symbols.filter((symbol) => remarks.has(symbol.id));
  const isShort = looks.length > 4 && !showAllLooks;
  const wide = new Set((isShort ? looks.slice(0, SHOWN) : looks).map((symbol) => symbol.id));
  for (const id of [...tiles.keys()]) if (!doc.symbols.some((symbol) => symbol.id === id)) tiles.delete(id);
  const tile = (symbol) => drawTile(symbol, wide.has(symbol.id) ? remarks.get(symbol.id) : null);
  arrange($("look-list"), doc.symbols.filter((symbol) => wide.has(symbol.id)).map(tile));
  arrange($("tiles"), [...playing.filter((symbol) => !wide.has(symbol.id)).map(tile), newTile()]);
  arrange($("waiting"), waiting.filter((symbol) => !wide.has(symbol.id)).map(tile));
  drawLookHead(looks, isShort);
  $("waiting-part").hidden = !waiting.length;
  write($("wait-h"), waiting.length ? t("list.waits", { n: waiting.length }, { words: true }) : "");
  refreshGrid();
}

function drawLookHead(looks, isShort) {
  const head = $("look-h");
  head.hidden = !looks.length;
  const [number, ...rest] = looks.length ? t("list.look", { n: looks.length }).split(" ") : [""];
  if (head.textContent !== `${number} ${rest.join(" ")}`) head.replaceChildren(h("span", { class: "dot" }, number), " ", rest.join(" "));
  const acts = [];
  const toggle = () => {
    showAllLooks = !showAllLooks;
    drawTiles();
    $("look-more").querySelector("button")?.focus();
  };
  if (isShort) acts.push(button(t("list.look_more", { n: looks.length - SHOWN }), toggle, { small: true }));
  else if (looks.length > 4) acts.push(button(t("list.fewer"), toggle, { small: true }));
  const unknown = state.doc.remarks.filter((remark) => remark.code === "unknown").map((remark) => remark.symbol);
  if (looks.length > 4 && unknown.length > 1) acts.push(button(t("list.keep_all"), () => change([{ op: "keep", ids: unknown, remark: "unknown" }]), { small: true }));
  $("look-more").hidden = !acts.length;
  const said = acts.map((node) => node.textContent).join("|");
  if ($("look-more").dataset.said !== said) {
    $("look-more").dataset.said = said;
    $("look-more").replaceChildren(...acts);
  }
}

let lastTile = null;
function newTile() {
  lastTile ??= h("li", { class: "tile new" }, h("button", { type: "button", class: "face", onclick: () => $("word").focus() }, icon("plus"), h("span")));
  write(lastTile.querySelector("span"), t("list.new"));
  return lastTile;
}

function drawTile(symbol, remark) {
  let tile = tiles.get(symbol.id);
  if (!tile) {
    tile = h("li", { class: "tile" }, h("button", { type: "button", class: "face", draggable: "true", onclick: () => editor.open(symbol.id) }, h("span", { class: "art" }), h("b"), h("i")));
    tiles.set(symbol.id, tile);
  }
  const name = nameOf(symbol);
  put(tile, "data-id", symbol.id);
  put(tile, "data-name", name);
  const waits = isWaiting(symbol);
  for (const [kind, is] of Object.entries({ look: remark, waiting: waits && !remark, on: editor.isOpen(symbol.id) })) tile.classList.toggle(kind, Boolean(is));
  const face = tile.querySelector(".face");
  drawArt(face.querySelector(".art"), symbol);
  write(face.querySelector("b"), name);
  const second = state.doc.languages[1];
  const isSum = symbol.kind === "faces" && symbol.names[second] === name; // the same in every language
  const isTyped = symbol.kind === "text" && symbol.names[second] === symbol.text && isUnknown(symbol); // no name yet
  const secondName = isTyped ? null : symbol.names[second];
  const other = second && !isSum ? (secondName ?? t("list.add_name", { language: nameOfLanguage(second) })) : "";
  write(face.querySelector("i"), other);
  face.querySelector("i").hidden = !other;
  drawStar(tile, symbol);
  drawWhy(tile, face, symbol, remark);
  return tile;
}

const isUnknown = (symbol) => state.doc.remarks.some((remark) => remark.symbol === symbol.id && remark.code === "unknown");

function drawStar(tile, symbol) {
  const star = tile.querySelector(":scope > .star");
  if (symbol.filled && !star) tile.append(icon("star", "star"), h("span", { class: "sr star-said" }, t("list.starred")));
  if (!symbol.filled && star) for (const node of tile.querySelectorAll(".star, .star-said")) node.remove();
}

function drawWhy(tile, face, symbol, remark) {
  const old = tile.querySelector(".why");
  const said = remark ? JSON.stringify([remark, document.documentElement.lang]) : "";
  if (old && old.dataset.said === said) return;
  const held = old?.contains(document.activeElement);
  old?.remove();
  put(face, "aria-describedby", remark ? `why-${symbol.id}` : null);
  if (remark) {
    const why = drawRemark(remark, symbol, takeFiles);
    why.dataset.said = said;
    tile.append(why);
  }
  if (held) face.focus({ preventScroll: true });
}

/** Show a symbol's picture as it prints, or its words until there is one. */
export function drawArt(box, symbol, thumbs = true) {
  const source = pictureOf(firstArt(symbol), thumbs);
  let image = box.querySelector("img");
  if (!source) {
    if (image) image.remove();
    if (!box.firstChild) box.append(icon("picture"));
    return;
  }
  if (!image) {
    image = h("img", { alt: "", draggable: "false" });
    box.replaceChildren(image);
  }
  put(image, "src", source);
}

// removing, moving

export async function remove(id) {
  const symbol = state.doc.symbols.find((each) => each.id === id);
  if (!symbol) return;
  const face = tiles.get(id)?.querySelector(".face");
  const all = [...document.querySelectorAll(".tiles .face")];
  const next = all[all.indexOf(face) + 1] ?? all[all.indexOf(face) - 1];
  const held = face === document.activeElement;
  if (!(await change([{ op: "remove", ids: [id] }]))) return;
  if (held) next?.focus();
  const back = button(t("page.undo"), async () => {
    endFlash();
    await undo();
    drawLine();
    tiles.get(id)?.querySelector(".face").focus();
  }, { small: true });
  flash(t("line.removed", { name: nameOf(symbol) }), back);
}

export async function move(id, to) {
  const ids = state.doc.symbols.map((symbol) => symbol.id);
  const at = Math.max(0, Math.min(to, ids.length - 1));
  if (ids.indexOf(id) === at) return;
  await change([{ op: "move", id, to: at }]);
  const symbol = state.doc.symbols[at];
  if (symbol) announce(t("list.moved", { name: nameOf(symbol), n: at + 1 }));
}

/** Let a waiting symbol take a place on the cards; whoever had it waits instead. */
export async function swapIn(id, other = "") {
  const { symbols } = state.doc;
  const playing = symbols.filter((symbol) => !isWaiting(symbol));
  const out = other || playing.at(-1)?.id;
  if (!out) return;
  const [from, to] = [id, out].map((each) => symbols.findIndex((symbol) => symbol.id === each));
  const [a, b] = [symbols[from], symbols[to]];
  await change([{ op: "move", id, to }, { op: "move", id: out, to: from }]);
  announce(t("list.swapped", { name: nameOf(a), other: nameOf(b) }));
}

function onKey(event) {
  const tile = event.target.closest(".tile");
  const id = tile?.dataset.id;
  if (!id || !event.target.matches(".face")) return;
  const at = state.doc.symbols.findIndex((symbol) => symbol.id === id);
  const isBack = event.key === "ArrowLeft" || event.key === "ArrowUp";
  const isOn = event.key === "ArrowRight" || event.key === "ArrowDown";
  if (event.key === "Delete") remove(id);
  else if (event.key === "F2") editor.open(id);
  else if (event.altKey && isBack && isWaiting(state.doc.symbols[at]) && event.key === "ArrowUp") swapIn(id);
  else if (event.altKey && (isBack || isOn)) move(id, at + (isOn ? 1 : -1));
  else return;
  event.preventDefault();
}

let dragged = "";
function onDrag(event) {
  const tile = event.target.closest?.(".tile[data-id]");
  if (event.type === "dragstart" && tile) {
    dragged = tile.dataset.id;
    event.dataTransfer.setData("text/x-symbol", dragged);
    event.dataTransfer.effectAllowed = "move";
    tile.classList.add("dragged");
  } else if (event.type === "dragend") {
    dragged = "";
    for (const node of document.querySelectorAll(".dragged, .drop-before, .drop-on")) node.classList.remove("dragged", "drop-before", "drop-on");
  } else if (dragged && tile) dragOver(event, tile);
}

function dragOver(event, tile) {
  const { symbols } = state.doc;
  const [one, other] = [dragged, tile.dataset.id].map((id) => symbols.find((symbol) => symbol.id === id));
  const isSwap = one && other && isWaiting(one) !== isWaiting(other);
  const kind = isSwap ? "drop-on" : "drop-before";
  if (event.type === "dragover") {
    event.preventDefault();
    tile.classList.add(kind);
  } else if (event.type === "dragleave") tile.classList.remove("drop-on", "drop-before");
  else if (event.type === "drop") {
    event.preventDefault();
    tile.classList.remove("drop-on", "drop-before");
    if (!one || !other || one === other) return;
    if (isSwap) swapIn(isWaiting(one) ? one.id : other.id, isWaiting(one) ? other.id : one.id);
    else {
      const [from, to] = [symbols.indexOf(one), symbols.indexOf(other)];
      move(one.id, from < to ? to - 1 : to);
    }
  }
}

// the live cards beside the list, and the strip on small screens

const drawnIn = (makeBox) =>
  keeper(makeBox, (box, { deck, card, first }) => {
    const key = cardKey(deck, card);
    if (box.dataset.key === key) return;
    box.className = `cardbtn ${deck.shape}`;
    box.replaceChildren(drawCard(deck, card, { fresh: Boolean(box.dataset.key) || !first }));
    box.dataset.key = key;
  });
const link = () => h("a", { href: "#cards", tabindex: "-1", class: "cardbtn" });
const inMini = drawnIn(link);
const inStrip = drawnIn(link);
let drawnFor = "";

function drawLive(deck) {
  const cards = deck?.cards ?? [];
  const first = drawnFor !== state.id;
  drawnFor = state.id;
  put($("mini"), "data-empty", t("list.no_cards"));
  const items = cards.map((card) => ({ deck, card, first }));
  arrange($("mini"), inMini(items, ({ card }) => `${state.id} ${card.n}`));
  arrange($("strip"), inStrip(items, ({ card }) => `${state.id} ${card.n}`));
  const said = cards.length ? t("list.count", { cards: cards.length, per: cards[0].spots.length }) : "";
  write($("live-count"), said);
  write($("n-cards"), cards.length ? String(cards.length) : "");
}

/** Show files as tiles before they are read. */
export function showReading(files) {
  const nodes = files.slice(0, 60).map((file) => {
    const address = URL.createObjectURL(file);
    const image = h("img", { src: address, alt: "" });
    image.addEventListener("error", () => image.remove());
    const name = file.name.replace(/\.[^.]*$/, "");
    const tile = h("li", { class: "tile reading" }, h("div", { class: "face" }, h("span", { class: "art" }, image), h("b", {}, name), h("i", {}, t("list.uploading"))));
    tile.end = () => {
      URL.revokeObjectURL(address);
      tile.remove();
    };
    return tile;
  });
  $("tiles").append(...nodes);
  return () => nodes.forEach((node) => node.end());
}

export const focusTile = (id) => tiles.get(id)?.querySelector(".face").focus();
