// Your game: how it is made, its files as they come, and downloads of what is proved. Making starts on entering the place.
import { ask, Stopped } from "./api.js";
import { $, arrange, button, h, icon, keeper, later, put, write } from "./dom.js";
import { drawCard } from "./draw.js";
import { nameById } from "./model.js";
import { announce, copyDetails, openDialog } from "./say.js";
import * as slides from "./slides.js";
import { change, hear, state } from "./state.js";
import { decimal, nameOfLanguage, parts, row, t } from "./texts.js";

/** Ways to make a game; the first profile of each is what it starts with. */
const MAKERS = [
  ["scissors", ["school-a4", "school-letter", ""]],
  ["punch", ["punch"]],
  ["labels", ["labels-avery-5195", "labels-avery-5194", "labels-endisch-65000850", "labels-endisch-65000800"]],
  ["cutter", ["silhouette-a4", "silhouette-letter", "cricut"]],
  ["shop", ["shop-sra3-x4", "shop-a3-x4", "shop-x1a", "pod-circle-3.5in", "pod-hex"]],
  ["table", ["tabletop-simulator"]],
  ["screen", []],
];
const QUESTIONS = { labels: "which_labels", cutter: "which_machine", shop: "which_shop" };
const MM_PER_INCH = 25.4;
const OFFICE_PAPERS = ["A4", "Letter", "A3", "Legal", "Tabloid", "A5"];
const STEPS = ["reading", "art", "layout", "sheets", "rules", "poster", "checking"];
const options = { copies: 1, booklet: true, legend: true, only: false };
let onScreen = false; // the way that makes no files
let coming = ""; // the way that was chosen, until the game says so
let profiles = new Map();
let job = null;
let madeFor = ""; // the state of the game that the last job was for
let lastQuarter = 0;
let controls = null;

export async function begin() {
  $("stop").addEventListener("click", () => (isRunning() ? stop() : make()));
  $("all").addEventListener("click", (event) => $("all").getAttribute("aria-disabled") === "true" && event.preventDefault());
  $("screen-start").addEventListener("click", () => state.cards?.cards.length > 1 && slides.start());
  hear("open", forgetJob);
  hear("doc", () => {
    show();
    if (isHere() && madeFor !== wishKey()) makeSoon();
  });
  hear("cards", () => isHere() && show());
  hear("back", askAgain);
  hear("job", (news) => job && news.id === job.id && takeJob(news));
  profiles = new Map((await ask("GET", "profiles")).profiles.map((profile) => [profile.id, profile]));
}

const isHere = () => document.body.dataset.place === "game";
const isRunning = () => job && ["queued", "running"].includes(job.state);
const isReady = () => Boolean(state.doc && state.doc.line.cards);

function forgetJob() {
  if (isRunning() && job.deck) ask("DELETE", `jobs/${job.id}`).catch(() => {});
  job = null;
  madeFor = "";
  coming = "";
  onScreen = false;
  Object.assign(options, { copies: 1, booklet: true, legend: true, only: false });
}

/** Enter the place: what is chosen is made. */
export function enter() {
  show();
  if (wantsFiles() && madeFor !== wishKey()) make();
}

export function translate() {
  controls = null;
  show();
}

// what is chosen

const profileNow = () => state.doc.print.profile ?? "";
const makerOf = (profile) => MAKERS.find(([, ids]) => ids.includes(profile))?.[0] ?? "scissors";
const makerNow = () => onScreen ? "screen" : coming || makerOf(profileNow());
const print = (values) => change([{ op: "print", values }], { late: false });
const wishKey = () => JSON.stringify([state.id, state.doc?.rev, options]);
const makeSoon = later(() => isHere() && wantsFiles() && make(), 400);
const wantsFiles = () => isReady() && !onScreen;

async function chooseMaker(kind) {
  const [first] = MAKERS.find(([own]) => own === kind)[1];
  const wasOnScreen = onScreen;
  onScreen = kind === "screen";
  coming = onScreen ? "" : kind;
  show();
  if (onScreen) return;
  if (wasOnScreen && madeFor !== wishKey()) makeSoon();
  await chooseProfile(kind === "scissors" ? "" : first);
  if (coming === kind) coming = "";
  show();
}

/** Take a machine: what it needs, its profile says, so that own settings of paper and backs make way for it. */
function chooseProfile(id) {
  const { shapes = [], sizes = [] } = profiles.get(id) ?? {};
  const ops = [{ op: "print", values: { profile: id || null, "sheet.paper": null, "sheet.duplex": null } }];
  const size = state.doc.look["card.size"];
  const look = {};
  if (sizes.length && !sizes.includes(size)) [look["card.size"]] = [...sizes].sort((a, b) => Math.abs(a - size) - Math.abs(b - size));
  if (shapes.length && !shapes.includes(state.doc.look["card.shape"])) [look["card.shape"]] = shapes;
  if (Object.keys(look).length) ops.unshift({ op: "look", values: look });
  return change(ops, { late: Boolean(look["card.size"]) });
}

function show() {
  if (!state.doc) return;
  if (!controls) build();
  showMakers();
  showWishes();
  showAdvice();
  showScreen();
  showJob();
  put($("save-to-share"), "href", `/api/decks/${state.id}/theme.zip`);
  put($("menu-share"), "href", `/api/decks/${state.id}/theme.zip`);
}

function build() {
  const radios = new Map();
  const tags = MAKERS.map(([kind]) => {
    const radio = h("input", { type: "radio", name: "maker", value: kind, onchange: () => chooseMaker(kind) });
    radios.set(kind, radio);
    const picture = icon(kind);
    picture.setAttribute("class", "pic");
    const about = h("span", { class: "about" }, t(`game.${kind}_about`));
    return h("label", { class: "maker" }, radio, picture, h("b", {}, t(`game.${kind}`)), about, h("span", { class: "tick" }, icon("check")));
  });
  $("makers").replaceChildren(...tags);
  controls = { radios, about: tags[0].querySelector(".about"), wishes: "" };
}

function showMakers() {
  for (const [kind, radio] of controls.radios) radio.checked = kind === makerNow();
  const paper = state.cards?.paper;
  const isOneSided = ["none", "separate", "fold"].includes(setting("sheet.duplex"));
  if (paper && makerNow() === "scissors") {
    const sheets = Math.ceil((state.cards.cards.length / paper.cards_per_sheet) * options.copies);
    write(controls.about, t(isOneSided ? "game.scissors_sheets_one" : "game.scissors_sheets", { n: sheets, paper: paper.name }));
  } else write(controls.about, t("game.scissors_about"));
}

const setting = (key) => state.doc.print[key];

/** The questions that belong to a way: built anew when the way changes. */
function showWishes() {
  const kind = makerNow();
  const key = `${state.id} ${kind} ${document.documentElement.lang}`;
  if (controls.wishes !== key) {
    controls.wishes = key;
    controls.shown = buildWishes(kind);
  }
  for (const part of controls.shown) part();
}

function buildWishes(kind) {
  const shows = [];
  const nodes = [];
  const ids = MAKERS.find(([own]) => own === kind)[1];
  const add = (node, act) => {
    nodes.push(node);
    shows.push(act);
  };
  if (QUESTIONS[kind]) {
    const made = fieldOf("machine", t(`game.${QUESTIONS[kind]}`), ids.map((id) => [id, profileName(id)]), chooseProfile, "wide");
    add(made.node, () => made.show(profileNow()));
  }
  if (kind === "punch") {
    const sizes = (profiles.get("punch").sizes ?? []).map((mm) => [String(mm), t("game.inch", { n: decimal(Math.round((mm / MM_PER_INCH) * 2) / 2), mm: decimal(mm) })]);
    const made = fieldOf("punch-size", t("game.which_punch"), sizes, (size) => change([{ op: "look", values: { "card.size": Number(size) } }]), "wide");
    add(made.node, () => made.show(String(state.doc.look["card.size"])));
  }
  if (["scissors", "punch"].includes(kind)) {
    const made = fieldOf("paper", t("game.paper"), OFFICE_PAPERS.map((id) => [id, id]), (paper) => print({ "sheet.paper": paper }));
    add(made.node, () => made.show(setting("sheet.paper")));
  }
  if (kind !== "table") {
    const copies = buildCopies();
    add(copies.node, copies.show);
  }
  if (["scissors", "punch", "labels"].includes(kind)) {
    const backs = [["long", "game.long_edge"], ["separate", "game.separate"], ["fold", "game.fold"], ["none", "game.no_backs"]].map(([id, text]) => [id, t(text)]);
    const made = fieldOf("backs", t("game.backs"), backs, (duplex) => print({ "sheet.duplex": duplex }), "wide");
    add(made.node, () => made.show(setting("sheet.duplex") === "short" ? "long" : setting("sheet.duplex")));
  }
  const ticks = buildTicks();
  add(ticks.node, ticks.show);
  $("wishes").replaceChildren(...nodes);
  return shows;
}

const profileName = (id) => {
  const key = `game.profile_${id.replaceAll(/\W/g, "_")}`;
  return t(key);
};

function fieldOf(id, label, choices, act, extra = "") {
  const select = h("select", { id: `wish-${id}`, onchange: () => act(select.value) }, choices.map(([value, text]) => h("option", { value }, text)));
  return { node: h("div", { class: `field ${extra}`.trim() }, h("label", { for: `wish-${id}` }, label), select), show: (value) => (select.value = value) };
}

function buildCopies() {
  const told = h("output", {});
  const step = (by) => {
    options.copies = Math.max(1, Math.min(99, options.copies + by));
    show();
    makeSoon();
    announce(`${t("game.copies")}: ${options.copies}`);
  };
  const less = h("button", { type: "button", "aria-label": t("game.fewer"), onclick: () => step(-1) }, icon("minus"));
  const more = h("button", { type: "button", "aria-label": t("game.one_more"), onclick: () => step(1) }, icon("plus"));
  const node = h("div", { class: "field" }, h("span", { id: "l-copies" }, t("game.copies")), h("div", { class: "stepper", role: "group", "aria-labelledby": "l-copies" }, less, told, more));
  return { node, show: () => {
    write(told, String(options.copies));
    put(less, "aria-disabled", options.copies === 1 ? "true" : null);
  } };
}

function buildTicks() {
  const tick = (label, act) => {
    const box = h("input", { type: "checkbox", onchange: () => act(box.checked) });
    const said = h("span", {}, label);
    return { box, said, node: h("label", { class: "check" }, box, said) };
  };
  const option = (name) => (is) => {
    options[name] = is;
    show();
    makeSoon();
  };
  const rules = tick("", option("booklet"));
  const poster = tick(t("game.poster"), option("legend"));
  const ink = tick(t("game.low_ink"), (is) => print({ "sheet.low_ink": is || null }));
  const only = tick(t("game.only"), option("only"));
  const node = h("fieldset", { class: "ticks" }, h("legend", {}, t("game.also")), rules.node, poster.node, ink.node, only.node);
  return {
    node,
    show() {
      write(rules.said, t("game.rules", { languages: row(state.doc.languages.map(nameOfLanguage)) }));
      rules.box.checked = options.booklet;
      poster.box.checked = options.legend;
      ink.box.checked = Boolean(setting("sheet.low_ink"));
      const changed = changedCards();
      const isOffice = ["scissors", "punch", "labels"].includes(makerNow());
      ink.node.hidden = !isOffice && !ink.box.checked;
      only.node.hidden = !isOffice || !changed.length;
      only.box.checked = options.only;
      put(only.node, "title", t("game.only_hint", { n: changed.length }));
    },
  };
}

/** On a screen, there are two cards to see instead of files. */
function showScreen() {
  $("on-screen").hidden = !onScreen;
  $("make").hidden = onScreen;
  $("wishes").hidden = onScreen;
  if (!onScreen) return;
  put($("screen-start"), "aria-disabled", state.cards?.cards.length > 1 ? null : "true");
  const cards = (state.cards?.cards ?? []).slice(0, 2);
  if ($("screen-cards").dataset.key === state.cards?.key) return;
  $("screen-cards").dataset.key = state.cards?.key ?? "";
  $("screen-cards").replaceChildren(...cards.map((card) => drawCard(state.cards, card)));
}

// what was downloaded before, to print only what changed since

const keptKey = () => `downloaded ${state.id}`;
const faceOf = (card) => JSON.stringify(card.spots);

function changedCards() {
  const before = JSON.parse(localStorage.getItem(keptKey()) ?? "null");
  const now = state.cards?.cards ?? [];
  if (!before || before.length !== now.length) return [];
  return now.filter((card, index) => faceOf(card) !== before[index]).map((card) => card.n);
}

function keepDownloaded() {
  if (state.cards && !options.only) localStorage.setItem(keptKey(), JSON.stringify(state.cards.cards.map(faceOf)));
}

// advice

function showAdvice() {
  const found = [];
  const { doc, cards } = state;
  const bare = doc.remarks.filter((remark) => remark.code === "unknown");
  if (bare.length === 1) found.push(["bare", parts("game.no_picture", { name: nameById(bare[0].symbol) }), "list"]);
  else if (bare.length) found.push(["bare", [t("game.no_pictures", { n: bare.length })], "list"]);
  const count = cards?.cards.length ?? 0;
  const over = cards?.paper ? count % cards.paper.cards_per_sheet : 0;
  const isSheet = ["scissors", "punch"].includes(makerNow()) && options.copies === 1;
  if (isSheet && over && over <= 2 && count - over >= 7 && !options.only) found.push(["last", [t("game.last_sheet", { n: over })], count - over, over]);
  const nodes = found.map(([kind, said, where, n]) => {
    const act = kind === "bare" ? h("a", { href: `#${where}` }, t("game.look_at")) : button(t("game.leave_out", { n }), () => change([{ op: "look", values: { "deck.cards": where } }]), { small: true });
    return h("div", { class: "advice", role: "note" }, icon("look"), h("p", {}, said), act);
  });
  const key = nodes.map((node) => node.textContent).join("|");
  if ($("advice").dataset.key === key) return;
  $("advice").dataset.key = key;
  $("advice").replaceChildren(...nodes);
}

// making

async function make() {
  madeFor = wishKey();
  lastQuarter = 0;
  const wishes = {
    copies: options.copies,
    booklet: options.booklet,
    legend: options.legend,
    only: options.only ? changedCards() : [],
  };
  const asked = state.id;
  job = { id: "", state: "queued", step: "", share: 0, files: [] };
  showJob();
  try {
    const made = await ask("POST", `decks/${asked}/jobs`, wishes);
    if (asked === state.id) takeJob(made);
  } catch (error) {
    if (error instanceof Stopped) {
      madeFor = "";
      return;
    }
    job = { id: "", state: "failed", files: [], fault: { sentence: error.message, hint: error.hint ?? "" }, details: error.details };
    showJob();
  }
}

async function stop() {
  const { id } = job;
  job = { ...job, state: "stopped" };
  showJob();
  if (id) await ask("DELETE", `jobs/${id}`).catch(() => {});
}

function takeJob(news) {
  if (job?.state === "stopped" && job.id === news.id) return;
  job = { ...job, ...news };
  showJob();
  const quarter = Math.floor((job.share ?? 0) * 4);
  if (job.state === "running" && quarter > lastQuarter) {
    lastQuarter = quarter;
    announce(`${Math.round(job.share * 100)} %. ${sayStep()}`);
  }
  if (job.state === "done") announce(t("making.ready"));
}

/** Ask for a job whose news may have been missed; a program that was started anew knows it no longer. */
async function askAgain() {
  if (isRunning() && job.id) {
    try {
      takeJob(await ask("GET", `jobs/${job.id}`));
    } catch (error) {
      if (error.status === 404) madeFor = "";
    }
  }
  if (isHere() && wantsFiles() && madeFor !== wishKey()) make();
}

function sayStep() {
  if (job.state === "queued") return t(job.id ? "making.queued" : "making.reading");
  const cards = state.cards?.cards.length ?? 0;
  return STEPS.includes(job.step) ? t(`making.${job.step}`, { n: (cards * (cards - 1)) / 2 }) : "";
}

const files = keeper(
  (file) => h("li", { class: "file", "data-name": file.name }, h("button", { type: "button", class: "pages" }), h("p", {}, h("b"), h("br"), h("span")), h("div", { class: "state" })),
  drawFile,
);

function showJob() {
  const isDone = job?.state === "done";
  const running = Boolean(isRunning());
  write($("h-make"), t(!isReady() ? "cards.none" : isDone ? "making.ready" : job?.state === "stopped" ? "making.stopped" : "making.title"));
  const list = inOrder(job?.files ?? []);
  const size = Math.max(0.1, list.reduce((sum, file) => sum + (file.bytes ?? 0), 0) / 1e6);
  write($("step"), !isReady() ? t("game.too_few") : isDone ? t("making.files", { n: list.length, size: decimal(size) }) : job?.state === "stopped" ? t("making.stopped_hint") : running ? sayStep() : "");
  $("stop").hidden = !isReady() || isDone || job?.state === "failed";
  write($("stop"), t(running ? "making.stop" : "making.again"));
  $("progress").hidden = !running;
  $("progress").value = Math.round((job?.share ?? 0) * 100);
  arrange($("files"), files(list, (file) => `${job?.id} ${file.name}`));
  $("all").hidden = !isReady();
  put($("all"), "aria-disabled", isDone ? null : "true");
  put($("all"), "href", isDone ? `/api/jobs/${job.id}/files.zip` : null);
  put($("all"), "download", isDone ? "" : null);
  $("all").onclick = isDone ? keepDownloaded : null;
  showProof(isDone);
  showFault();
  const isTwoSided = ["long", "short"].includes(setting("sheet.duplex") ?? "long");
  const isPaper = ["scissors", "punch", "labels"].includes(makerNow());
  $("how").hidden = !isPaper || !isReady();
  const how = `${t("making.print_head")}: ${t(isTwoSided ? "making.print_both" : "making.print_one")}`;
  if ($("how").textContent !== how) $("how").replaceChildren(h("b", {}, `${t("making.print_head")}:`), ` ${t(isTwoSided ? "making.print_both" : "making.print_one")}`);
}

function showProof(isDone) {
  const pairs = job?.proof?.pairs ?? 0;
  $("proof").hidden = !(isDone && pairs);
  const said = t("making.proof", { n: pairs });
  if (isDone && $("proof").textContent !== said) $("proof").replaceChildren(icon("check"), said);
}

function showFault() {
  const fault = job?.state === "failed" ? job.fault : null;
  $("game-problem").hidden = !fault;
  if (!fault) return;
  const sentence = [fault.sentence, fault.hint].filter(Boolean).join(" ");
  const isOurs = ["unproved", "proof"].includes(fault.code);
  const details = job.details || sentence;
  const acts = [button(t("cannot.copy_details"), () => copyDetails(details), { small: true })];
  if (!isOurs) acts.unshift(button(t("saved.try_again"), make, { small: true }));
  const said = isOurs ? t("cannot.check_failed") : t("cannot.failed", { sentence });
  if ($("game-problem").firstChild?.textContent === said) return;
  $("game-problem").replaceChildren(h("p", { role: "alert" }, said), h("div", { class: "row" }, acts));
}

const NAMES = { "cards.pdf": "cards_pdf", "backs.pdf": "backs_pdf", "legend.pdf": "legend_pdf", "booklet-print.pdf": "booklet_print_pdf", "booklet.pdf": "booklet_pdf", "preview.png": "preview_png" };

/** What one prints first; records for computers come with everything, and are not shown. */
function inOrder(list) {
  const order = Object.keys(NAMES);
  const rank = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
  return list.filter(({ name }) => !name.endsWith(".json")).sort((a, b) => rank(a) - rank(b));
}

/** Whether a file holds cards alone that were asked for, such as cards-3-7.pdf. */
const isSomeCards = (name) => /^cards-[\d-]+\.pdf$/.test(name);

function nameOfFile(name) {
  const bare = isSomeCards(name) ? "cards.pdf" : name.split("/").pop();
  return NAMES[bare] ? t(`making.${NAMES[bare]}`) : name;
}

function aboutFile(file) {
  if (!file.pages) return "";
  const isBoth = (file.name === "cards.pdf" || isSomeCards(file.name)) && ["long", "short"].includes(setting("sheet.duplex"));
  return t(isBoth ? "making.both_sides" : file.name === "booklet-print.pdf" ? "making.fold_staple" : "making.pages", { n: file.pages });
}

function drawFile(node, file) {
  const isDone = job.state === "done";
  const isMade = isDone || file.state === "done" || file.is_made;
  const name = nameOfFile(file.name);
  node.classList.toggle("wait", !isMade);
  write(node.querySelector("b"), name);
  write(node.querySelector("p span"), isMade ? aboutFile(file) : t("making.being_made"));
  drawPages(node.querySelector(".pages"), file, name, isDone);
  const key = isDone ? "go" : isMade ? "made" : "spin";
  const box = node.querySelector(".state");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  if (isDone) box.replaceChildren(h("a", { class: "btn go", href: `/api/jobs/${job.id}/files/${file.name}`, download: "", "aria-label": t("making.download", { name }), onclick: () => file.name === "cards.pdf" && keepDownloaded() }, icon("down")));
  else if (isMade) box.replaceChildren(Object.assign(icon("check", "made"), {}), h("span", { class: "sr" }, t("making.made")));
  else box.replaceChildren(h("span", { class: "spin" }));
}

function drawPages(node, file, name, isDone) {
  put(node, "aria-label", t("making.see_pages", { name }));
  const canShow = isDone && file.pages;
  put(node, "aria-disabled", canShow ? null : "true");
  node.onclick = canShow ? () => showPages(file, name) : null;
  const key = canShow ? job.id : "none";
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const image = (src) => h("img", { src, alt: "", onload: (event) => event.target.classList.add("here") });
  const page = (n) => image(pageOf(file, n, 184));
  const images = canShow ? (file.pages > 1 ? [page(2), page(1)] : [page(1)]) : [];
  if (isDone && file.name.endsWith(".png")) images.push(image(`/api/jobs/${job.id}/files/${file.name}`));
  node.replaceChildren(icon("print"), ...images);
}

const pageOf = (file, n, width) => `/api/jobs/${job.id}/pages/${file.name}/${n}?width=${width}`;

function showPages(file, name) {
  const pages = Array.from({ length: file.pages }, (_, index) => {
    const said = t("making.page", { n: index + 1, pages: file.pages });
    return h("li", {}, h("img", { src: pageOf(file, index + 1, 900), alt: said, loading: "lazy" }), said);
  });
  openDialog(name, [h("ol", { class: "page-list", tabindex: "0", "aria-label": name }, pages)], { wide: true });
}
