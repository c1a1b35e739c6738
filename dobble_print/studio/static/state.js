// The game that is open: what the program last said of it, and every change on its way there. Changes go one by one.
import { art, ask, follow, onReach, Refusal, Stopped } from "./api.js";
import { later } from "./dom.js";
import { notify, silence, silenceAll, tell } from "./say.js";
import { clock, t } from "./texts.js";
import { button } from "./dom.js";

export const state = { id: "", doc: null, cards: null, saved: "saved", tab: crypto.randomUUID?.() ?? String(Math.random()) };
const hearers = { doc: [], cards: [], saved: [], job: [], open: [], back: [] };
let endEvents = () => {};
let tail = Promise.resolve();
let unsent = [];
let lastSaved = "";
let lateTimer = 0;
let arriving = Promise.resolve();
let told = {}; // the last events about pictures and remarks: an answer that was on its way meanwhile does not know them
const known = new Map(); // pictures that have been loaded, by name
const LONGEST_MS = 3000; // that cards wait for their pictures

/** Hear of a new document, of new cards, of saving, of a job's progress, that another game was opened, or that the
 * stream of events begins, after which nothing is missed. */
export function hear(what, act) {
  hearers[what].push(act);
}

function tellAll(what, ...given) {
  for (const act of hearers[what]) act(...given);
}

/** Open a game; the former one is left as it is. */
export async function open(id) {
  const doc = await ask("GET", `decks/${id}`);
  leave();
  silenceAll();
  Object.assign(state, { id, doc: null, cards: null });
  told = {};
  lastSaved = clock();
  tellAll("open");
  tellAll("cards", null, null);
  take(doc);
  setSaved("saved");
  endEvents = follow(`decks/${id}/events`, {
    hello: greeted,
    deck: ({ rev, by }) => by !== state.tab && rev > (state.doc?.rev ?? 0) && refresh(), // one's own come as the answer
    art: (art) => hearOf({ art }),
    remarks: (remarks) => hearOf({ remarks }),
    cards: takeCards,
    saved: () => state.saved === "saving" && setSaved("saved"),
    trouble: troubled,
    job: (job) => tellAll("job", job),
  });
  fetchCards();
}

export function leave() {
  endEvents();
  endEvents = () => {};
  unsent = [];
  setLate(false);
  Object.assign(state, { id: "", doc: null, cards: null });
}

/** The stream begins, or begins anew: what happened before it did is read from the game itself. */
async function greeted({ rev, key }) {
  await refresh();
  tellAll("back");
  if (state.cards && (key !== state.cards.key || rev !== state.cards.rev)) fetchCards();
}

async function refresh() {
  const id = state.id;
  const doc = await ask("GET", `decks/${id}`).catch(() => null);
  if (doc && id === state.id) take(doc);
}

function take(doc) {
  if (!doc || (state.doc && doc.rev < state.doc.rev)) return;
  state.doc = doc;
  addTold();
  tellAll("doc", doc);
}

async function fetchCards() {
  const id = state.id;
  const cards = await ask("GET", `decks/${id}/cards`).catch(() => null);
  if (cards && id === state.id && !(state.cards && state.cards.rev > cards.rev)) takeCards(cards);
}

/** Take the pictures of symbols or the remarks, as soon as they are known. */
function hearOf(news) {
  Object.assign(told, news);
  if (!state.doc) return;
  addTold();
  tellAll("doc", state.doc);
}

/** Add to the document what events have told of it, or of a newer one. */
function addTold() {
  const { doc } = state;
  if (told.art?.rev >= doc.rev) for (const symbol of doc.symbols) symbol.art = told.art.symbols[symbol.id] ?? [];
  if (told.remarks?.rev >= doc.rev) doc.remarks = told.remarks.remarks;
}

/** Take cards once their pictures are here: until then the old ones stay. */
function takeCards(news) {
  const id = state.id;
  arriving = arriving.then(() => loadArt(Object.keys(news.art ?? {}))).then(() => id === state.id && useCards(news));
  return arriving;
}

async function loadArt(names) {
  const fresh = names.filter((name) => !known.has(name));
  const loads = fresh.map((name) => {
    const image = Object.assign(new Image(), { src: art(name) });
    known.set(name, image);
    return image.decode().catch(() => known.delete(name));
  });
  if (loads.length) await Promise.race([Promise.all(loads), new Promise((done) => setTimeout(done, LONGEST_MS))]);
}

/** Use cards: all of them, or only those that changed since the last. */
function useCards(news) {
  if (!news.cards || (state.cards && news.rev < state.cards.rev)) return;
  setLate(false);
  const fresh = new Map(news.cards.map((card) => [card.n, card]));
  const isPart = news.changed && news.count > news.cards.length;
  const old = new Map((isPart ? (state.cards?.cards ?? []) : []).map((card) => [card.n, card]));
  const cards = isPart ? Array.from({ length: news.count }, (_, at) => fresh.get(at + 1) ?? old.get(at + 1)) : news.cards;
  if (cards.some((card) => !card)) {
    fetchCards();
    return;
  }
  state.cards = news.key ? { ...news, cards } : null;
  tellAll("cards", state.cards, null);
}

function troubled(trouble) {
  setLate(false);
  tellAll("cards", state.cards, trouble);
}

function setLate(is) {
  clearTimeout(lateTimer);
  if (is) lateTimer = setTimeout(() => document.body.classList.add("cards-late"), 300);
  else document.body.classList.remove("cards-late");
}

function setSaved(now) {
  state.saved = now;
  if (now === "saved") lastSaved = clock();
  tellAll("saved", now);
}

/** Do one step; resolves with the new document, or with null where it was refused (the page has said why). */
export function change(ops, { burst = "", late = true } = {}) {
  return send("PATCH", (doc) => [`decks/${state.id}`, { rev: doc.rev, ops, burst, by: state.tab }], late);
}

export const undo = () => send("POST", () => [`decks/${state.id}/undo`, { by: state.tab }]);
export const redo = () => send("POST", () => [`decks/${state.id}/redo`, { by: state.tab }]);

/** Send pictures: new symbols, or with `symbol` another picture for one, or with `role` that of the backs. */
export function upload(files, fields = {}) {
  const build = () => {
    const form = new FormData();
    form.append("by", state.tab);
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    for (const file of files) form.append("file", file, file.name);
    return [`decks/${state.id}/pictures`, form];
  };
  return send("POST", build);
}

/** Send whatever answers with the new document; one at a time, in the order in which it was asked for. */
export function send(method, build, late = true, more = {}) {
  const game = state.id;
  tail = tail.then(() => (game === state.id ? attempt(method, build, late, more) : null));
  return tail;
}

async function attempt(method, build, late, more) {
  const timer = setTimeout(() => setSaved("saving"), 400);
  try {
    const answer = await askTwice(method, build, more);
    const { rev } = state.doc;
    take(answer.deck ?? answer);
    if (late && state.doc.rev !== rev) setLate(true);
    setSaved("saved");
    silence("saved");
    silence("refused");
    return answer;
  } catch (error) {
    if (error instanceof Stopped || error.status === 507) {
      unsent.push([method, build, late, more]);
      setSaved("not");
      if (error.status === 507) offerAgain(error);
      return null;
    }
    setSaved("saved");
    if (!(error instanceof Refusal)) throw error;
    tell(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Ask; where another tab was quicker, take the newer document and ask once more. */
async function askTwice(method, build, more) {
  const [path, body] = build(state.doc);
  try {
    return await ask(method, path, body, more);
  } catch (error) {
    if (error.status !== 409) throw error;
    take(error.body.deck ?? (await ask("GET", `decks/${state.id}`)));
    const [again, newer] = build(state.doc);
    return ask(method, again, newer, more);
  }
}

function offerAgain(error) {
  const sentence = error.code === "full" || /space/i.test(error.message) ? t("saved.full") : t("saved.failed", { reason: error.message });
  notify("saved", sentence, button(t("saved.try_again"), sendUnsent, { small: true }));
}

async function sendUnsent() {
  const kept = unsent;
  unsent = [];
  for (const [method, build, late, more] of kept) await send(method, build, late, more);
}

/** Tell that the program has stopped, and go on where one was as soon as it is back. */
export function watchProgram(check) {
  const again = later(async () => (await check()) || again(), 3000);
  onReach(async (isThere) => {
    if (isThere) {
      silence("stopped");
      if (!state.id) return;
      await refresh();
      await sendUnsent();
      if (state.id) setSaved("saved");
      await fetchCards();
    } else {
      setSaved("not");
      notify("stopped", t("saved.stopped", { time: lastSaved || clock() }), button(t("saved.try_again"), check, { small: true }));
      again();
    }
  });
}
