// Begins here: texts, places and their addresses, the header, keys, and what is dropped anywhere.
import { ask, check, Stopped } from "./api.js";
import * as cards from "./cards.js";
import { loadArithmetic } from "./count.js";
import { $, button, h, icon, later, put, write } from "./dom.js";
import * as editor from "./editor.js";
import * as game from "./game.js";
import { chooseFiles, GAMES, sortFiles, TABLES, watch } from "./intake.js";
import * as list from "./list.js";
import { find, nameById } from "./model.js";
import { announce, notify, openDialog, tell } from "./say.js";
import * as start from "./start.js";
import { change, hear, open, redo, state, undo, upload, watchProgram } from "./state.js";
import { has, LANGUAGES, language, load, preferred, t } from "./texts.js";

const PLACES = ["start", "list", "cards", "game"];
const KEYS = [
  ["places", ["Alt 1", "Alt 2", "Alt 3"]],
  ["undo", ["Ctrl Z", "Ctrl Shift Z"]],
  ["add", ["Enter"]],
  ["paste", ["Ctrl V"]],
  ["arrows", ["← ↑ → ↓", "Home", "End"]],
  ["edit", ["Enter", "F2"]],
  ["delete", ["Delete"]],
  ["move", ["Alt ← →"]],
  ["pick", ["Space", "Enter"]],
  ["escape", ["Esc"]],
];

const MOST_TOLD = 3; // files that are refused in a sentence each; of more, the names
let most = 183; // symbols of a game

// places

const asked = () => (PLACES.includes(location.hash.slice(1)) ? location.hash.slice(1) : "");
const gameInAddress = () => new URLSearchParams(location.search).get("game") ?? "";

/** Show the place that the address names, of the game that it names. */
async function follow() {
  const id = gameInAddress();
  let place = asked() || (id ? "list" : "start");
  if (place !== "start" && id && id !== state.id) {
    try {
      await open(id);
    } catch (error) {
      if (error instanceof Stopped) return;
      history.replaceState(null, "", "/#start");
      tell(error);
      place = "start";
    }
  }
  if (!state.id) place = "start";
  const before = document.body.dataset.place;
  document.body.dataset.place = place;
  for (const link of document.querySelectorAll(".places a")) put(link, "aria-current", link.hash === `#${place}` ? "page" : null);
  document.title = place === "start" ? t("page.title") : `${state.doc.title} – ${t(`page.${place}`)}`;
  if (place === "start") start.show();
  if (place === "game") game.enter();
  if (place !== "list" && editor.isAnyOpen()) editor.close(false);
  if (before !== place) {
    scrollTo(0, 0);
    $(`h-${place}`).focus({ preventScroll: true });
  }
  document.body.classList.remove("loading");
}

/** Open a game and a place; the address says which. */
async function enter(id, place) {
  history.pushState(null, "", `/?game=${encodeURIComponent(id)}#${place}`);
  await follow();
}

// header

function showHeader() {
  const { doc } = state;
  if (!doc) return;
  if (document.activeElement !== $("title")) $("title").value = doc.title;
  $("title").committed = doc.title;
  showStep($("undo"), "undo", doc.undo);
  showStep($("redo"), "redo", doc.redo);
}

function showStep(node, which, step) {
  const said = step ? t(`page.${which}_of`, { step: sayStep(step) }) : t(`page.${which}_none`);
  put(node, "aria-label", said);
  put(node, "title", said);
  put(node, "aria-disabled", step ? null : "true");
}

/** Say what a step does, in the page's language. */
export function sayStep(step) {
  const names = (step.names ?? []).map((name) => (find(name) ? nameById(name) : String(name).replaceAll("-", " ")));
  if (step.code === "look") {
    const [key = ""] = step.keys ?? [];
    if (key === "deck.seed") return t("steps.shuffle");
    if (key === "title" || key === "languages") return t(`steps.${key}`);
  }
  if (has(`steps.${step.code}`)) return t(`steps.${step.code}`, { n: step.count ?? 1, name: names[0] ?? "", names: names.join(", ") });
  return t("steps.other");
}

const SAVED = { saved: "saved.saved", saving: "saved.saving", not: "saved.not" };
function showSaved(now) {
  const box = $("saved");
  const said = t(SAVED[now]);
  box.classList.toggle("not", now === "not");
  if (box.dataset.now === said) return;
  box.dataset.now = said;
  box.replaceChildren(now === "saved" ? icon("check") : now === "not" ? icon("warn") : "", h("span", {}, said));
}

async function goBack() {
  const step = state.doc?.undo;
  if (!step) return announce(t("page.undo_none"));
  list.endFlash();
  await undo();
  return announce(t("page.undo_of", { step: sayStep(step) }));
}

async function goOn() {
  const step = state.doc?.redo;
  if (!step) return announce(t("page.redo_none"));
  list.endFlash();
  await redo();
  return announce(t("page.redo_of", { step: sayStep(step) }));
}

function beginHeader() {
  const rename = later((title) => title.trim() && change([{ op: "look", values: { title: title.trim() } }], { burst: "title", late: false }), 400);
  $("title").addEventListener("input", () => rename($("title").value));
  $("title").addEventListener("blur", () => {
    rename.flush();
    if (!$("title").value.trim()) $("title").value = state.doc?.title ?? "";
  });
  $("title").addEventListener("keydown", (event) => event.key === "Enter" && $("title").blur());
  $("undo").addEventListener("click", goBack);
  $("redo").addEventListener("click", goOn);
  hear("doc", showHeader);
  hear("saved", showSaved);
}

// menu

function beginMenu() {
  const more = $("more");
  const toggle = (is) => {
    $("menu").hidden = !is;
    put(more, "aria-expanded", String(is));
    $("menu-share").parentElement.hidden = !state.id;
    if (is) $("menu").querySelector("button, a").focus();
  };
  more.addEventListener("click", () => toggle($("menu").hidden));
  document.addEventListener("click", (event) => !event.target.closest(".menu") && toggle(false));
  $("menu").addEventListener("click", () => toggle(false));
  $("menu").addEventListener("keydown", (event) => {
    const items = [...$("menu").querySelectorAll("li:not([hidden]) > *")];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: items[at + 1] ?? items[0], ArrowUp: items.at(at - 1), Home: items[0], End: items.at(-1) }[event.key];
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      toggle(false);
      more.focus();
    }
  });
  $("menu-new").addEventListener("click", () => start.startEmpty());
  $("menu-open").addEventListener("click", async () => {
    const [file] = await chooseFiles({ accept: `${GAMES},${TABLES}`, many: false });
    if (file) takeFiles([file]);
  });
  $("menu-dark").addEventListener("click", () => paint(document.documentElement.dataset.theme !== "dark", true));
  $("menu-language").addEventListener("click", chooseLanguage);
  $("menu-keys").addEventListener("click", showKeys);
}

function paint(isDark, keep = false) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  if (keep) localStorage.setItem("page", isDark ? "dark" : "light");
  write($("menu-dark"), t(isDark ? "page.light" : "page.dark"));
}

function chooseLanguage() {
  const choices = Object.entries(LANGUAGES).map(([code, name]) =>
    button(name, async () => {
      close();
      localStorage.setItem("language", code);
      await translate(code);
    }, { lang: code, "aria-pressed": String(code === language) }),
  );
  const close = openDialog(t("page.language"), [h("div", { class: "choices" }, choices)]);
}

function showKeys() {
  const rows = KEYS.map(([name, keys]) => h("tr", {}, h("th", { scope: "row" }, t(`keys.${name}`)), h("td", {}, keys.flatMap((key) => [h("kbd", {}, key), " "]))));
  openDialog(t("keys.title"), [h("table", { class: "key-table" }, h("tbody", {}, rows))]);
}

async function translate(code) {
  await load(code);
  paint(document.documentElement.dataset.theme === "dark");
  list.translate();
  cards.translate();
  game.translate();
  showHeader();
  showSaved(state.saved);
  if (document.body.dataset.place === "start") await start.show();
  if (editor.isAnyOpen()) editor.close(false);
}

// keys

function beginKeys() {
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input:not([type=radio], [type=checkbox], [type=range]), textarea");
    const isCtrl = event.ctrlKey || event.metaKey;
    if (event.altKey && !isCtrl && "123".includes(event.key) && state.id) {
      event.preventDefault();
      location.hash = PLACES[Number(event.key)];
    } else if (isCtrl && !event.altKey && event.key.toLowerCase() === "z" && !hasOwnUndo(field)) {
      event.preventDefault();
      if (event.shiftKey) goOn();
      else goBack();
    } else if (isCtrl && event.key.toLowerCase() === "y" && !hasOwnUndo(field)) {
      event.preventDefault();
      goOn();
    } else if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      if (editor.isAnyOpen()) editor.close();
      else cards.clear();
    }
  });
}

/** Whether a field holds something of its own to undo: what is typed and not yet part of the game. */
const hasOwnUndo = (field) => Boolean(field && field.value !== (field.committed ?? ""));

// what is dropped, chosen or pasted

async function takeFiles(files, id = "") {
  if (!files.length) return;
  if (!state.id || document.body.dataset.place === "start") {
    const made = await start.takeFiles(files);
    if (made?.files) await addFiles(made.files);
    return;
  }
  const { games, tables, pictures } = sortFiles(files);
  if (id && pictures.length === 1) {
    await upload(pictures, { symbol: id });
    return;
  }
  if (games.length) {
    await start.openGame(games[0]);
    return;
  }
  for (const table of tables) {
    const answer = await list.addTable(table, start.tableType(table));
    if (!answer) return;
  }
  if (pictures.length) await addFiles(pictures);
}

async function addFiles(files) {
  const { tables, pictures } = sortFiles(files);
  for (const table of tables) await list.addTable(table, start.tableType(table));
  if (!pictures.length) return;
  location.hash = "list";
  const room = Math.max(0, most - state.doc.symbols.length);
  const end = list.showReading(pictures.slice(0, room));
  try {
    const answer = room ? await upload(pictures.slice(0, room)) : { pictures: [] };
    if (answer) tellTaken(answer);
    if (pictures.length > room) notify("many", room ? t("cannot.too_many", { n: pictures.length, most, taken: room }) : t("line.left_out", { n: pictures.length, most }, { words: true }));
  } finally {
    end();
  }
}

/** Say what came in, and in a sentence each what did not. */
function tellTaken(answer) {
  const results = answer.pictures ?? [];
  const taken = results.filter((each) => !each.fault);
  list.sayAdded(taken.map((each) => nameById(each.id ?? each.name)), []);
  const refused = results.filter((each) => each.fault);
  const told = refused.slice(0, MOST_TOLD);
  told.forEach((each, index) => notify(`refused ${index}`, [each.fault.sentence, each.fault.hint].filter(Boolean).join(" ")));
  list.sayLeft({ refused: refused.slice(MOST_TOLD).map((each) => each.name) });
}

async function takeText(text) {
  if (document.body.dataset.place === "start") {
    $("first").value = text;
    $("first").dispatchEvent(new Event("input"));
    $("make-cards").click();
    return;
  }
  if (document.body.dataset.place === "list") await list.addText(text);
}

// several tabs of one game

function watchTabs() {
  if (!("BroadcastChannel" in globalThis)) return;
  const channel = new BroadcastChannel("studio");
  const tellOthers = (isAnswer) => state.id && channel.postMessage({ id: state.id, isAnswer });
  channel.onmessage = ({ data }) => {
    if (data.id !== state.id) return;
    notify("tabs", t("saved.other_tab"));
    if (!data.isAnswer) tellOthers(true);
  };
  hear("open", () => setTimeout(() => tellOthers(false), 0));
}

async function begin() {
  const kept = localStorage.getItem("page");
  document.documentElement.dataset.theme = kept ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  await Promise.all([load(preferred()), loadArithmetic()]);
  state.languages = (await ask("GET", "languages")).languages;
  most = (await ask("GET", "limits")).most_symbols;
  beginHeader();
  beginMenu();
  beginKeys();
  start.begin(enter);
  list.begin({ files: takeFiles });
  editor.begin({ files: takeFiles });
  cards.begin();
  await game.begin();
  watch({ files: takeFiles, text: takeText });
  watchProgram(check);
  watchTabs();
  addEventListener("hashchange", follow);
  addEventListener("popstate", () => gameInAddress() !== state.id && follow());
  paint(document.documentElement.dataset.theme === "dark");
  list.translate();
  cards.translate();
  showSaved("saved");
  await follow();
}

begin();
