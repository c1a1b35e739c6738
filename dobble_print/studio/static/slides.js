// On a screen: two cards at a time for a whole class, as large as the screen; what they share is shown when one asks.
import { $, button, h, icon } from "./dom.js";
import { drawCard, shared } from "./draw.js";
import { find, firstArt, nameOf, pictureOf } from "./model.js";
import { announce } from "./say.js";
import { state } from "./state.js";
import { t } from "./texts.js";

let pair = [0, 1];
let isShown = false;

export function start() {
  pair = drawLots();
  isShown = false;
  const dialog = $("slides");
  dialog.setAttribute("aria-label", t("game.screen"));
  dialog.onkeydown = (event) => {
    if (event.key === "ArrowRight" || event.key === "PageDown") next();
  };
  dialog.onclose = () => document.fullscreenElement && document.exitFullscreen();
  draw();
  dialog.showModal();
  dialog.requestFullscreen?.().catch(() => {});
  dialog.querySelector("[data-role=match]").focus();
}

/** Two different cards, and not both of the last pair. */
function drawLots() {
  const count = state.cards.cards.length;
  const one = Math.floor(Math.random() * count);
  const other = (one + 1 + Math.floor(Math.random() * (count - 1))) % count;
  return [one, other].sort().join() === [...pair].sort().join() && count > 2 ? drawLots() : [one, other];
}

function next() {
  pair = drawLots();
  isShown = false;
  draw();
  $("slides").querySelector("[data-role=match]").focus();
}

function reveal() {
  isShown = true;
  draw();
  $("slides").querySelector("[data-role=next]").focus();
}

function draw() {
  const cards = pair.map((index) => state.cards.cards[index]);
  const match = shared(...cards);
  const symbol = find(match);
  const source = pictureOf(firstArt(symbol), false);
  const said = isShown ? h("p", { class: "answer" }, source ? h("img", { src: source, alt: "" }) : "", nameOf(symbol)) : "";
  if (isShown) announce(t("cards.share_name", { a: cards[0].n, b: cards[1].n, name: nameOf(symbol) }));
  const acts = [
    isShown ? "" : button(t("game.screen_match"), reveal, { "data-role": "match", primary: true }),
    button(t("game.screen_next"), next, { "data-role": "next", primary: isShown }),
  ];
  const close = h("button", { type: "button", class: "icon x", "aria-label": t("page.close"), onclick: () => $("slides").close() }, icon("close"));
  const drawn = cards.map((card) => drawCard(state.cards, card, { match: isShown ? match : "" }));
  $("slides").replaceChildren(h("div", { class: "pair-of-cards" }, drawn), h("div", { class: "acts" }, said, ...acts), close);
}
