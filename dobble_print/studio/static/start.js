// The empty page: one question, one box in two halves, the ladder that counts along, ready-made games, and the way back.
import { ask, Stopped } from "./api.js";
import { countWords, describe, drawLadder } from "./count.js";
import { $, arrange, button, h, icon, keeper, write } from "./dom.js";
import { drawCard } from "./draw.js";
import { chooseFiles, sortFiles } from "./intake.js";
import { sayLeft } from "./list.js";
import { announce, notify, tell } from "./say.js";
import { language, t, when } from "./texts.js";

const FIRST = ["kids", "picture-word-de", "times-tables", "class-photos", "alphabet", "animals-nl-fr"];
let enter = () => {};
let themes = [];

/** Set the page up; `go` opens a game by its id and shows a place. */
export function begin(go) {
  enter = go;
  const first = $("first");
  first.addEventListener("input", count);
  first.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) makeFromWords();
  });
  first.addEventListener("paste", () => setTimeout(() => countWords(first.value) >= 7 && makeFromWords(), 0));
  $("make-cards").addEventListener("click", makeFromWords);
  $("choose").addEventListener("click", async () => takeFiles(await chooseFiles()));
  $("more-games").addEventListener("click", () => {
    const isOpen = $("more-games").getAttribute("aria-expanded") === "true";
    $("more-games").setAttribute("aria-expanded", String(!isOpen));
    drawGallery();
  });
}

function count() {
  const words = countWords($("first").value);
  const { said } = describe(words);
  write($("count"), words ? said.map(([, text]) => text).join(" ") : t("empty.words_hint"));
  drawLadder($("start-ladder"), words);
}

/** Show the page anew: its texts, the games of before, and the gallery. */
export async function show() {
  $("first").placeholder = t("empty.example");
  count();
  ({ themes } = await ask("GET", "themes").catch(() => ({ themes: [] })));
  drawGallery();
  const { decks } = await ask("GET", "decks").catch(() => ({ decks: [] }));
  showGames(decks);
}

function drawGallery() {
  const isOpen = $("more-games").getAttribute("aria-expanded") === "true";
  const rank = (theme) => (FIRST.includes(theme.id) ? FIRST.indexOf(theme.id) : FIRST.length);
  const sorted = [...themes].sort((a, b) => rank(a) - rank(b));
  $("more-games").hidden = sorted.length <= FIRST.length;
  arrange($("gallery"), gallery(isOpen ? sorted : sorted.slice(0, FIRST.length), (theme) => `${theme.id} ${language}`));
}

const inLanguage = (byLanguage) => byLanguage[language] ?? byLanguage[""] ?? byLanguage.en ?? Object.values(byLanguage)[0] ?? "";

const gallery = keeper(
  (theme) =>
    h("li", {}, h(
      "button",
      { type: "button", onclick: () => create({ from: "theme", theme: theme.id }) },
      h("img", { src: `/static/gallery/${theme.id}.webp`, alt: "", loading: "lazy" }),
      inLanguage(theme.title),
      h("span", {}, t("empty.game", { symbols: theme.symbols })),
    )),
  () => {},
);

function showGames(decks) {
  const [last, ...others] = decks;
  $("back-again").hidden = !last;
  $("others").hidden = !others.length;
  if (last) fillStrip(last);
  arrange($("other-games"), others.map(describeGame));
}

function fillStrip(game) {
  const fan = h("div", { class: "fan" });
  const go = h("a", { class: "btn primary", href: `?game=${game.id}#list`, onclick: (event) => enterGame(event, game.id) }, t("empty.go_on"));
  $("back-again").replaceChildren(fan, h("p", {}, h("b", {}, inLanguage(game.title)), h("br"), h("span", { class: "muted" }, left(game))), go);
  ask("GET", `decks/${game.id}/cards`)
    .then((deck) => fan.append(...deck.cards.slice(0, 3).map((card) => drawCard(deck, card))))
    .catch(() => {});
}

function describeGame(game) {
  const open = h("a", { class: "btn", href: `?game=${game.id}#list`, "aria-label": t("empty.go_on_with", { title: inLanguage(game.title) }), onclick: (event) => enterGame(event, game.id) }, t("empty.go_on"));
  const forget = h("button", { type: "button", class: "icon", "aria-label": t("empty.forget", { title: inLanguage(game.title) }), onclick: () => forgetGame(game) }, icon("bin"));
  return h("li", {}, h("p", {}, h("b", {}, inLanguage(game.title)), h("br"), h("span", { class: "muted" }, left(game))), open, forget);
}

const left = (game) => t("empty.left", { symbols: game.symbols, when: when(game.changed * 1000) });

function enterGame(event, id) {
  event.preventDefault();
  enter(id, "list");
}

/** Take a game off the list; it can be brought back. */
async function forgetGame(game) {
  await ask("DELETE", `decks/${game.id}`);
  await show();
  const back = button(t("page.undo"), async () => {
    await ask("POST", `decks/${game.id}/restore`);
    await show();
  }, { small: true });
  notify("forgotten", t("empty.forgotten", { title: inLanguage(game.title) }), back);
  $("h-start").focus();
}

async function makeFromWords() {
  const text = $("first").value.trim();
  if (text) await create({ from: "words", text, language });
  else $("first").focus();
}

/** Make a game, go to its list, and say what was taken. */
async function create(body, type = "", name = "") {
  $("make-cards").setAttribute("aria-disabled", "true");
  try {
    const query = type ? `?name=${encodeURIComponent(name)}&lang=${language}` : "";
    const doc = await ask("POST", `decks${query}`, body, { type });
    $("first").value = "";
    await enter(doc.id, "list");
    if (doc.added !== undefined) announce(t("line.added", { n: doc.added }));
    sayLeft(doc);
    return doc;
  } catch (error) {
    if (!(error instanceof Stopped)) tell(error);
    return null;
  } finally {
    $("make-cards").removeAttribute("aria-disabled");
  }
}

/** Make a game of files: a shared one is opened, anything else begins a new one. */
export async function takeFiles(files) {
  const { games, tables, pictures } = sortFiles(files);
  if (games.length) return openGame(games[0]);
  if (!tables.length && !pictures.length) return null;
  if (tables.length && !pictures.length) return create(tables[0], tableType(tables[0]), tables[0].name);
  const doc = await create({ from: "empty", language });
  return doc && { ...doc, files };
}

export const openGame = (file) => create(file, file.name.toLowerCase().endsWith(".zip") ? "application/zip" : "application/yaml", file.name);

export function tableType(file) {
  const ending = file.name.toLowerCase().split(".").pop();
  if (ending === "xlsx") return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  return { csv: "text/csv", tsv: "text/tab-separated-values" }[ending] ?? "text/plain";
}

export const startEmpty = () => create({ from: "empty", language });
