// One symbol: its picture, its names, its size and turn, and the cards it is on. Beside the list, or a sheet from below.
import { ask } from "./api.js";
import { $, arrange, button, h, icon, keeper, later, put, write } from "./dom.js";
import { cardKey, drawCard } from "./draw.js";
import { makeGrid } from "./grid.js";
import { chooseFiles, PICTURES } from "./intake.js";
import * as list from "./list.js";
import { find, isWaiting, nameOf, pictureOf } from "./model.js";
import { draw as drawRemark } from "./remarks.js";
import { announce } from "./say.js";
import { change, hear, state } from "./state.js";
import { language, nameOfLanguage, t } from "./texts.js";

const narrow = matchMedia("(max-width: 920px)");
const SIZES = [[0.75, "editor.smaller"], [1, "editor.usual"], [1.35, "editor.larger"]];
const TURNS = [["full", "look.any"], ["tilt", "look.little"], ["upright", "look.upright"]];
let shown = ""; // the symbol that is open; "*" is the search among drawings alone
let searching = false;
let takeFiles = () => {};
let parts = null;

export function begin({ files }) {
  takeFiles = files;
  narrow.addEventListener("change", () => shown && place());
  $("sheet").addEventListener("close", () => $("sheet").contains($("editor")) && close());
  $("sheet").addEventListener("click", (event) => event.target === $("sheet") && $("sheet").close());
  hear("doc", () => shown && draw());
  hear("cards", () => shown && drawCards());
  hear("open", () => shown && close(false));
}

export const isOpen = (id) => shown === id;
export const isAnyOpen = () => Boolean(shown);

/** Open a symbol, perhaps with the search for another drawing. */
export function open(id, search = false) {
  if (!find(id)) return;
  location.hash = "list";
  shown = id;
  searching = search;
  parts = null;
  draw();
  place();
  (search ? $("editor").querySelector("input") : $("editor").querySelector("h2")).focus();
}

/** Open the search among drawings; what is chosen is added to the list. */
export function openSearch() {
  shown = "*";
  searching = true;
  parts = null;
  draw();
  place();
  $("editor").querySelector("input").focus();
}

export function close(focus = true) {
  const was = shown;
  shown = "";
  parts = null;
  $("editor").hidden = true;
  $("live-cards").hidden = false;
  $("side").append($("editor"));
  if ($("sheet").open) $("sheet").close();
  put($("side"), "aria-label", t("list.live"));
  for (const node of document.querySelectorAll(".tile.on")) node.classList.remove("on");
  if (!focus) return;
  if (was === "*") ($("drawings").offsetParent ? $("drawings") : $("word")).focus();
  else list.focusTile(was);
}

/** Put the editor where the screen has room for it. */
function place() {
  $("editor").hidden = false;
  $("live-cards").hidden = true;
  if (narrow.matches) {
    const held = document.activeElement;
    $("sheet").replaceChildren($("editor"));
    put($("sheet"), "aria-label", heading());
    if (!$("sheet").open) $("sheet").showModal();
    if ($("editor").contains(held)) held.focus();
  } else {
    $("side").append($("editor"));
    if ($("sheet").open) $("sheet").close();
    $("editor").hidden = false;
  }
}

const heading = () => (shown === "*" ? t("list.drawings") : t("editor.label", { name: nameOf(find(shown)) }));

function draw() {
  if (shown === "*") {
    if (!parts) parts = build({ title: t("list.drawings"), body: [buildSearch(null)] });
    return;
  }
  const symbol = find(shown);
  if (!symbol) {
    close();
    return;
  }
  parts ??= buildEditor(symbol);
  parts.update(symbol);
  put($("side"), "aria-label", heading());
  for (const tile of document.querySelectorAll(".tile[data-id]")) tile.classList.toggle("on", tile.dataset.id === shown);
}

function build({ title, body }) {
  const head = h("h2", { tabindex: "-1" }, title);
  const shut = h("button", { type: "button", class: "icon", "aria-label": t("page.close"), onclick: () => close() }, icon("close"));
  $("editor").replaceChildren(h("div", { class: "head" }, head, shut), ...body);
  return { head, update: () => {} };
}

function buildEditor(symbol) {
  const picture = h("div", { class: "big-art" });
  const said = h("div", { class: "said", hidden: true });
  const names = h("div", { class: "pair" });
  const photo = h("div", { class: "pair" });
  const search = h("div", { class: "editor-search" });
  const on = h("h2");
  const cards = h("div", { class: "mini", "data-role": "on-cards" });
  const moves = h("div", { class: "row" });
  const top = h("div", { class: "top" }, picture, h("div", { class: "stack" },
    button(t("editor.drawing"), () => toggleSearch(), { picture: "search", "aria-expanded": "false" }),
    button(t("editor.picture"), async () => takeFiles(await chooseFiles({ accept: PICTURES, many: false }), shown), { picture: "picture" }),
  ));
  const sizes = segments("editor-size", t("editor.size"), SIZES, (value) => set({ scale: value === 1 ? null : value }));
  const turns = choice("editor-turn", t("editor.turn"), [["", "look.as_others"], ...TURNS], (value) => set({ rotation: value || null }));
  const made = build({ title: "", body: [top, said, search, names, sizes.node, turns.node, photo, moves, on, cards] });
  const fields = new Map();
  const drawIn = keeper(
    () => h("div"),
    (box, card) => {
      const key = cardKey(state.cards, card) + shown;
      if (box.dataset.key !== key) box.replaceChildren(drawCard(state.cards, card, { match: shown }));
      box.dataset.key = key;
    },
  );
  const toggleSearch = (is = !searching) => {
    searching = is;
    put(top.querySelector("[aria-expanded]"), "aria-expanded", String(searching));
    search.replaceChildren(...(searching ? [buildSearch(find(shown))] : []));
    if (searching) search.querySelector("input").focus();
  };
  made.drawCards = () => {
    const own = (state.cards?.cards ?? []).filter((card) => card.spots.some((spot) => spot[1] === shown));
    write(on, own.length ? t("editor.on_cards", { n: own.length }) : t("editor.on_none"));
    arrange(cards, drawIn(own, (card) => card.n));
  };
  made.update = (now) => {
    write(made.head, nameOf(now));
    drawPictures(picture, now);
    drawSaid(said, now);
    drawNames(names, fields, now);
    sizes.show(nearest(now.scale ?? 1));
    turns.show(now.rotation ?? "");
    drawPhoto(photo, now);
    drawMoves(moves, now);
    made.drawCards();
  };
  if (searching) toggleSearch(true);
  return made;
}

const nearest = (scale) => SIZES.map(([size]) => size).sort((a, b) => Math.abs(a - scale) - Math.abs(b - scale))[0];
const set = (values) => change([{ op: "set", id: shown, ...values }]);

function drawCards() {
  parts?.drawCards?.();
}

/** Show the symbol as it prints; where it has several faces, the first two. */
function drawPictures(box, symbol) {
  const sources = (symbol.art ?? []).slice(0, 1).map((name) => pictureOf(name, false));
  if (box.dataset.shown === sources.join()) return;
  box.dataset.shown = sources.join();
  box.replaceChildren(...(sources.length ? sources.map((src) => h("img", { src, alt: "" })) : [icon("picture", "big")]));
}

function drawSaid(box, symbol) {
  const remark = state.doc.remarks.find((each) => each.symbol === symbol.id);
  const key = JSON.stringify(remark ?? "");
  box.hidden = !remark;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  if (!remark) return;
  const drawn = drawRemark(remark, symbol, takeFiles);
  drawn.querySelector("p").removeAttribute("id");
  box.replaceChildren(...drawn.childNodes);
}

function drawNames(box, fields, symbol) {
  const { languages } = state.doc;
  for (const code of languages) {
    if (!fields.has(code)) fields.set(code, nameField(code));
    const { input } = fields.get(code);
    const now = symbol.missing.includes(code) ? "" : (symbol.names[code] ?? "");
    if (document.activeElement !== input && input.value !== now) input.value = now;
    input.committed = now;
  }
  arrange(box, languages.flatMap((code) => [fields.get(code).label, fields.get(code).input]));
}

function nameField(code) {
  const id = `name-${code}`;
  const send = later((value) => change([{ op: "set", id: shown, names: { [code]: value.trim() || null } }], { burst: `${shown} ${code}`, late: false }), 150);
  const input = h("input", { type: "text", id, lang: code, maxlength: 80, autocomplete: "off", oninput: () => send(input.value), onblur: () => send.flush() });
  return { label: h("label", { for: id }, nameOfLanguage(code)), input };
}

function drawPhoto(box, symbol) {
  const isPhoto = symbol.kind === "image" && !/\.svg$/i.test(symbol.text);
  box.hidden = !isPhoto;
  if (!isPhoto) return;
  if (!box.firstChild) {
    const crop = choice("editor-crop", t("editor.crop"), [["", "look.as_others"], ["none", "editor.whole"], ["square", "editor.square"], ["circle", "editor.circle"]], (value) => set({ crop: value || null }));
    const ground = choice("editor-ground", t("editor.background"), [["", "editor.keep_background"], ["remove", "editor.remove_background"]], (value) => set({ background: value || null }));
    box.append(...crop.node.childNodes, ...ground.node.childNodes);
    box.shown = { crop, ground };
  }
  box.shown.crop.show(symbol.crop ?? "");
  box.shown.ground.show(symbol.background === "remove" ? "remove" : "");
}

function drawMoves(box, symbol) {
  const key = `${isWaiting(symbol)} ${symbol.filled}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const at = () => state.doc.symbols.findIndex((each) => each.id === shown);
  const acts = [];
  if (isWaiting(symbol)) acts.push(button(t("editor.swap_in"), () => list.swapIn(shown), { small: true, picture: "up" }));
  if (symbol.filled) acts.push(button(t("editor.keep_star"), () => change([{ op: "keep", ids: [shown], remark: "filled" }], { late: false }), { small: true, picture: "star" }));
  acts.push(button(t("editor.earlier"), () => list.move(shown, at() - 1), { small: true, picture: "earlier" }));
  acts.push(button(t("editor.later"), () => list.move(shown, at() + 1), { small: true, picture: "later" }));
  acts.push(button(t("editor.remove"), removeIt, { small: true, picture: "bin" }));
  box.replaceChildren(...acts);
}

function removeIt() {
  const id = shown;
  close();
  list.remove(id);
}

/** Native radios side by side. */
export function segments(name, label, choices, act) {
  const radios = choices.map(([value, key, picture]) => {
    const radio = h("input", { type: "radio", name, value: String(value), onchange: () => act(value) });
    return [value, radio, h("label", {}, radio, picture ? icon(picture) : "", h("span", {}, t(key)))];
  });
  const node = h("fieldset", {}, h("legend", { class: "sr" }, label), h("div", { class: "seg" }, radios.map(([, , tag]) => tag)));
  const show = (value) => radios.forEach(([own, radio]) => (radio.checked = own === value));
  return { node, show };
}

/** A list to choose one from, with its label beside it. */
export function choice(id, label, choices, act) {
  const select = h("select", { id, onchange: () => act(select.value) }, choices.map(([value, key]) => h("option", { value }, t(key))));
  const show = (value) => (select.value = value);
  return { node: h("div", { class: "pair" }, h("label", { for: id }, label), select), show, select };
}

// the search among drawings

function buildSearch(symbol) {
  const id = "search-drawings";
  const result = h("ul", { class: "found" });
  const told = h("p", { class: "hint", role: "status" }, t(symbol ? "editor.start_search" : "editor.add_all"));
  const refresh = makeGrid([result], "button");
  let asked = 0;
  const look = later(async (query) => {
    asked += 1;
    const own = asked;
    const found = query.trim() ? await ask("GET", `drawings?q=${encodeURIComponent(query)}&lang=${language}&limit=24`).catch(() => null) : { drawings: [] };
    if (own !== asked || !found) return;
    const items = found.drawings;
    arrange(result, items.map((drawing) => h("li", {}, drawingButton(drawing, symbol))));
    refresh();
    told.textContent = items.length ? t("editor.found", { n: items.length }) : query.trim() ? t("editor.nothing") : t("editor.start_search");
  }, 150);
  const input = h("input", { type: "search", id, autocomplete: "off", spellcheck: "false", oninput: () => look(input.value), onkeydown: (event) => event.key === "ArrowDown" && result.querySelector("button")?.focus() });
  if (symbol && symbol.kind !== "image") {
    input.value = nameOf(symbol);
    look(input.value);
  }
  return h("div", { class: "search-row" }, h("label", { for: id }, t("editor.search")), input, told, result);
}

function drawingButton(drawing, symbol) {
  const name = drawing.names[state.doc.languages[0]] ?? drawing.names[language] ?? drawing.names.en;
  const act = async () => {
    if (symbol) {
      await change([{ op: "set", id: shown, picture: { kind: "word", text: drawing.id, choice: drawing.choice } }]);
      $("editor").querySelector("h2").focus();
    } else {
      const done = await change([{ op: "add", symbols: [{ kind: "word", text: drawing.id }] }]);
      if (done) announce(t("line.added_names", { names: name }));
    }
  };
  const box = h("span", { class: "art" }, h("img", { src: `/api/art/${drawing.art}`, alt: "", loading: "lazy" }));
  return h("button", { type: "button", onclick: act }, box, name);
}
