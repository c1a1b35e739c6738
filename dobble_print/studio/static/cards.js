// Your cards: all of them, two to compare with the match ringed, and how they look.
import { button, $, arrange, h, icon, keeper, put, write } from "./dom.js";
import { cardKey, drawCard, label, shared } from "./draw.js";
import * as editor from "./editor.js";
import { makeGrid } from "./grid.js";
import * as looks from "./looks.js";
import { find, firstArt, nameById, pictureOf } from "./model.js";
import { announce, copyDetails } from "./say.js";
import { change, hear, state } from "./state.js";
import { t } from "./texts.js";

let picked = []; // numbers of up to two cards
let trouble = null;
const LARGEST = 300; // mm, of a card
let refreshGrid = () => {};
const narrow = matchMedia("(max-width: 920px)");

export function begin() {
  looks.begin();
  refreshGrid = makeGrid([$("deck")], ".cardbtn");
  $("shuffle").addEventListener("click", shuffle);
  $("view").addEventListener("change", () => showAs($("view").value));
  $("rail-open").addEventListener("click", openRail);
  $("sheet").addEventListener("close", () => $("rail-room").append($("rail")));
  narrow.addEventListener("change", () => $("sheet").contains($("rail")) && $("sheet").close());
  hear("open", () => clear(false));
  hear("cards", (deck, fault) => {
    trouble = fault;
    draw();
  });
  hear("doc", () => {
    names();
    drawDock();
  });
}

export function translate() {
  put($("shuffle"), "title", t("cards.shuffle_hint"));
  looks.build();
  draw();
}

/** See the cards as printed, as colour-blind players do, or as a photocopy: a filter, at once. */
function showAs(view) {
  for (const box of [$("deck"), $("dock")]) {
    box.classList.toggle("view-cvd", view === "cvd");
    box.classList.toggle("view-copy", view === "copy");
  }
}

function shuffle() {
  const seed = state.doc.look["deck.seed"] ?? 1;
  change([{ op: "look", values: { "deck.seed": seed + 1 } }]);
}

function openRail() {
  $("sheet").replaceChildren(h("div", { class: "head" }, h("h2", { tabindex: "-1" }, t("cards.looks")), h("button", { type: "button", class: "icon", "aria-label": t("page.close"), onclick: () => $("sheet").close() }, icon("close"))), $("rail"));
  put($("sheet"), "aria-label", t("cards.looks"));
  $("sheet").showModal();
  $("sheet").querySelector("h2").focus();
}

const nodes = keeper(
  (card) => h("button", { type: "button", class: "cardbtn", onclick: () => pick(card.n) }, h("span", { class: "no" })),
  (node, { deck, card, match }) => {
    const key = cardKey(deck, card) + match;
    node.className = `cardbtn ${deck.shape}`;
    if (node.dataset.key !== key) {
      const isNews = node.dataset.cards !== undefined && node.dataset.cards !== cardKey(deck, card);
      node.querySelector(".card")?.remove();
      node.prepend(drawCard(deck, card, { match, fresh: isNews }));
      node.dataset.key = key;
      node.dataset.cards = cardKey(deck, card);
    }
    put(node, "data-n", card.n);
    put(node, "aria-pressed", String(picked.includes(card.n)));
    write(node.querySelector(".no"), String(card.n));
    put(node, "aria-label", label(card, nameById));
  },
);

function draw() {
  const deck = state.cards;
  const cards = deck?.cards ?? [];
  drawTrouble();
  write($("h-cards"), cards.length ? t("cards.title", { cards: cards.length, per: cards[0].spots.length }) : t("cards.none"));
  picked = picked.filter((n) => n <= cards.length);
  write($("tip"), cards.length ? t(picked.length === 1 ? "cards.tip_second" : "cards.tip") : "");
  const match = matchOf();
  const items = cards.map((card) => ({ n: card.n, deck, card, match: picked.includes(card.n) ? match : "" }));
  arrange($("deck"), cards.length ? nodes(items, (item) => `${state.id} ${item.n}`) : state.doc ? [noneYet()] : []);
  refreshGrid();
  drawDock();
  looks.show();
}

/** Names change without new cards. */
function names() {
  for (const card of state.cards?.cards ?? []) {
    const node = $("deck").querySelector(`[data-n="${card.n}"]`);
    if (node) put(node, "aria-label", label(card, nameById));
  }
}

function noneYet() {
  return h("div", { class: "none-yet" }, h("p", {}, t("cards.none_hint")), h("a", { class: "btn", href: "#list" }, t("game.to_list")));
}

/** Say why there are no new cards, where one types and where one looks at them, with the ways out. */
function drawTrouble() {
  for (const box of [$("list-problem"), $("cards-problem")]) {
    box.hidden = !trouble;
    if (trouble) box.replaceChildren(...sayTrouble(trouble));
  }
}

function sayTrouble({ fault, details }) {
  const now = state.doc?.look["card.size"] ?? 85;
  const each = (state.doc?.line.per_card ?? 0) - 1;
  const isTight = fault.code === "layout";
  const acts = [];
  if (isTight) {
    const size = Math.min(LARGEST, Math.ceil((now * 1.2) / 5) * 5);
    acts.push(button(t("cannot.make_size", { size }), () => change([{ op: "look", values: { "card.size": size } }]), { small: true }));
    if (each >= 3) acts.push(button(t("cannot.make_each", { n: each }), () => change([{ op: "look", values: { "deck.symbols_per_card": each } }]), { small: true }));
  }
  if (details) acts.push(button(t("cannot.copy_details"), () => copyDetails(details), { small: true }));
  const sentence = [fault.sentence, fault.hint].filter(Boolean).join(" ");
  const said = isTight ? t("cannot.no_fit", { size: now }) : t("cannot.cards_failed", { sentence });
  return [h("p", { role: "alert" }, said), h("div", { class: "row" }, acts)];
}

// two cards and what they share

function cardOf(n) {
  return state.cards?.cards[n - 1];
}

function matchOf() {
  const [one, other] = picked.map(cardOf);
  return one && other ? shared(one, other) : "";
}

function pick(n) {
  if (picked.includes(n)) picked = picked.filter((each) => each !== n);
  else picked = picked.length === 2 ? [n] : [...picked, n];
  draw();
  const [one, other] = picked;
  if (other) announce(t("cards.share_name", { a: one, b: other, name: nameById(matchOf()) }));
  else if (one) announce(`${t("cards.card", { n: one })}. ${t("cards.tip_second")}`);
}

/** Clear the pair; return whether there was one. */
export function clear(redraw = true) {
  if (!picked.length) return false;
  const [n] = picked.slice(-1);
  picked = [];
  if (!redraw) return true;
  draw();
  $("deck").querySelector(`[data-n="${n}"]`)?.focus({ preventScroll: true });
  return true;
}

function anotherPair() {
  const count = state.cards.cards.length;
  const one = 1 + Math.floor(Math.random() * count);
  const other = 1 + ((one + Math.floor(Math.random() * (count - 1))) % count);
  picked = [one, other];
  draw();
  announce(t("cards.share_name", { a: one, b: other, name: nameById(matchOf()) }));
  $("dock").querySelector("[data-role=another]")?.focus();
}

function drawDock() {
  const dock = $("dock");
  const [one, other] = picked.map(cardOf);
  dock.hidden = !one;
  const match = matchOf();
  const name = nameById(match);
  const key = one ? JSON.stringify([picked, cardKey(state.cards, one), other && cardKey(state.cards, other), name, document.documentElement.lang, !other && state.cards.back]) : "";
  if (dock.dataset.key === key) return;
  dock.dataset.key = key;
  if (!one) {
    dock.replaceChildren();
    return;
  }
  const x = h("button", { type: "button", class: "icon x", "aria-label": t("page.close"), onclick: () => clear() }, icon("close"));
  if (other) dock.replaceChildren(drawCard(state.cards, one, { match }), drawCard(state.cards, other, { match }), sayMatch(match, name), x);
  else dock.replaceChildren(drawCard(state.cards, one), drawBack(state.cards), sayCard(one), x);
}

function sayMatch(match, name) {
  const source = pictureOf(firstArt(find(match)), true);
  return h(
    "div",
    { class: "say" },
    h("p", {}, t("cards.share", { a: picked[0], b: picked[1] })),
    h("strong", {}, source ? h("img", { src: source, alt: "" }) : "", name),
    h("p", { class: "muted" }, t("cards.only")),
    h("div", { class: "row" }, button(t("cards.another"), anotherPair, { small: true, "data-role": "another" }), button(t("cards.change", { name }), () => editor.open(match), { small: true })),
  );
}

function sayCard(card) {
  const names = card.spots.map((spot) => nameById(spot[1])).join(", ");
  return h("div", { class: "say" }, h("strong", {}, t("cards.card", { n: card.n })), h("p", { class: "muted" }, names), h("p", {}, t("cards.tip_second")));
}

/** Draw the back as it prints. */
function drawBack(deck) {
  const { kind, color, spots } = deck.back;
  const back = drawCard({ ...deck, background: color, rim: kind === "none" ? "#d3dbe6" : color }, { rim: null, spots });
  const corners = deck.outline.map(([x, y]) => `${((x / deck.width_mm) * 100).toFixed(2)}% ${((y / deck.height_mm) * 100).toFixed(2)}%`);
  back.style.clipPath = deck.shape === "round" ? "circle(50%)" : `polygon(${corners.join(", ")})`; // a picture may be larger
  back.classList.add("back");
  back.removeAttribute("aria-hidden");
  put(back, "role", "img");
  put(back, "aria-label", t("cards.back"));
  return back;
}
