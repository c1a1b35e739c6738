// How the cards look: what matters most stays open, the rest is in "More choices". Every choice is a step of its own.
import { art } from "./api.js";
import { $, h, put, write } from "./dom.js";
import { choice, segments } from "./editor.js";
import { chooseFiles, PICTURES } from "./intake.js";
import { firstArt, nameOf, pictureOf } from "./model.js";
import { change, hear, state, upload } from "./state.js";
import { later } from "./dom.js";
import { decimal, t } from "./texts.js";

const RIMS = [["#1d3557", "navy"], ["#d1495b", "red"], ["#00798c", "teal"], ["#edae49", "yellow"]];
const CARDS = [["#ffffff", "white"], ["#fff8e7", "cream"], ["#eaf4ff", "light_blue"], ["#eef7ea", "light_green"]];
const BACKS = [["#1d3557", "navy"], ["#d1495b", "red"]];
const FONTS = [["", "plain"], ["school", "school"], ["dyslexia", "dyslexia"], ["handwriting", "handwriting"], ["legible", "legible"], ["serif", "serif"]];
const TURNS = [["full", "any"], ["tilt", "little"], ["upright", "upright"]];
const SPREADS = [["2", "sizes_usual"], ["1.5", "sizes_little"], ["1", "sizes_alike"]];
const DOG = "emoji-1f436"; // shows what a picture is where a game has none
let controls = null;
let sample = ["", ""]; // the picture and the name that show the choices of "Shown as"
let sampleOf = "";

const look = (values) => change([{ op: "look", values }]);
const value = (key) => state.doc?.look[key];

export function begin() {
  $("rail").addEventListener("submit", (event) => event.preventDefault());
  hear("doc", show);
}

/** Build the controls in the page's language. */
export function build() {
  controls = { faces: buildFaces(), shape: buildShape(), size: buildSize(), colors: buildColors(), more: buildMore() };
  const shape = h("fieldset", {}, h("legend", {}, t("look.shape")), controls.shape.node.querySelector(".seg"), controls.size.node);
  $("rail").replaceChildren(controls.faces.node, shape, controls.colors.node, controls.more.node);
  show();
}

export function show() {
  if (!state.doc || !controls) return;
  for (const control of Object.values(controls)) control.show();
}

// shown as

function faceChoices() {
  const [first = "en", second] = state.doc?.languages ?? [];
  return {
    pictures: ["picture"],
    names: [`picture+word:${first}`],
    mixed: ["picture", `word:${first}`],
    two: [`word:${first}`, `word:${second ?? first}`],
  };
}

function buildFaces() {
  const radios = {};
  const samples = {};
  const tags = ["pictures", "names", "mixed", "two"].map((kind) => {
    radios[kind] = h("input", { type: "radio", name: "faces", value: kind, onchange: () => look({ faces: kind === "pictures" ? null : faceChoices()[kind] }) });
    samples[kind] = h("span", { class: `sample ${{ names: "below", mixed: "cross", two: "cross" }[kind] ?? ""}`, "aria-hidden": "true" });
    return h("label", {}, radios[kind], samples[kind], h("span", {}, t(`look.${kind}`)));
  });
  const node = h("fieldset", {}, h("legend", {}, t("look.shown")), h("div", { class: "looks" }, tags));
  const drawSamples = () => {
    const symbol = state.doc.symbols.find((each) => firstArt(each) && each.kind !== "faces") ?? state.doc.symbols[0];
    const showsPicture = !state.doc.look.faces || state.doc.look.faces[0].startsWith("picture");
    if (showsPicture || sampleOf !== state.id) sample = [(showsPicture && pictureOf(firstArt(symbol), true)) || art(DOG), nameOf(symbol) || "…"];
    sampleOf = state.id;
    const [source, name] = sample;
    const other = symbol?.names[state.doc.languages[1]] ?? "…";
    const key = [source, name, other].join("|");
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    const picture = () => (source ? h("img", { src: source, alt: "" }) : "");
    const word = (text) => h("i", {}, text);
    samples.pictures.replaceChildren(picture());
    samples.names.replaceChildren(picture(), word(name));
    samples.mixed.replaceChildren(picture(), word(name));
    samples.two.replaceChildren(word(name), word(other));
  };
  return {
    node,
    show() {
      const own = (state.doc.look.faces ?? ["picture"]).join(" ").replaceAll("article:", "word:");
      for (const [kind, faces] of Object.entries(faceChoices())) radios[kind].checked = faces.join(" ") === own;
      const isSums = state.doc.symbols.some((symbol) => symbol.kind === "faces");
      radios.two.disabled = state.doc.languages.length < 2;
      put(radios.two.closest("label"), "title", radios.two.disabled ? t("look.two_hint") : null);
      write(radios.mixed.closest("label").lastChild, t(isSums ? "look.sums" : "look.mixed"));
      drawSamples();
    },
  };
}

// shape and size

function buildShape() {
  const made = segments("shape", t("look.shape"), [["round", "look.round", "round"], ["hex", "look.hex", "hex"], ["square", "look.square", "square"]], (shape) => look({ "card.shape": shape }));
  return { node: made.node, show: () => made.show(value("card.shape")) };
}

function buildSize() {
  const send = later((size) => look({ "card.size": size }), 250);
  const told = h("output", { for: "size", id: "size-told" });
  const input = h("input", { id: "size", type: "range", min: 50, max: 120, step: 1, oninput: () => {
    say(Number(input.value), null);
    send(Number(input.value));
  } });
  const say = (size, paper) => {
    const text = paper ? t("look.size_of", { size: decimal(size), n: paper.cards_per_sheet, paper: paper.name }) : t("look.size_mm", { size: decimal(size) });
    write(told, text);
    put(input, "aria-valuetext", text);
  };
  const node = h("div", { class: "slide" }, h("label", { for: "size" }, t("look.size")), told, input);
  return {
    node,
    show() {
      const size = value("card.size") ?? 85;
      input.max = Math.max(120, size);
      input.min = Math.min(50, size);
      if (document.activeElement !== input || Math.abs(Number(input.value) - size) < 0.5) input.value = size;
      const paper = state.cards?.size_mm === size ? state.cards.paper : null;
      if (Number(input.value) === Math.round(size)) say(size, paper);
    },
  };
}

// colours

function swatch(color, name, act, extra = "") {
  const node = h("button", { type: "button", class: `swatch ${extra}`, "aria-label": t(`look.${name}`), title: t(`look.${name}`), "aria-pressed": "false", onclick: act });
  if (color) node.style.setProperty("--c", color);
  return node;
}

function buildColors() {
  const rows = [];
  const row = (key, swatches, ...more) => {
    const label = h("span", { id: `label-${key}` }, t(`look.${key}`));
    rows.push(h("div", { class: "swatches" }, label, h("div", { id: `swatch-${key}`, role: "group", "aria-labelledby": `label-${key}` }, ...swatches.map(([, node]) => node), ...more)));
    return swatches;
  };
  const simple = (colors, key) => colors.map(([color, name]) => [color, swatch(color, name, () => look({ [key]: color }))]);
  const rim = row("rim", [...simple(RIMS, "card.rim"), ["", swatch("", "no_rim", () => look({ "card.rim": "none" }), "none")]]);
  const card = row("card", simple(CARDS, "card.background"));
  const logo = h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: chooseLogo }, t("look.logo"));
  const back = row("back", [
    ["pattern", swatch("", "pattern", () => look({ "back.color": "#1d3557", "back.pattern": "symbols", "back.image": null }), "pattern")],
    ...BACKS.map(([color, name]) => [color, swatch(color, name, () => look({ "back.color": color, "back.pattern": null, "back.image": null }))]),
    ["none", swatch("", "no_back", () => look({ back: "none" }), "none")],
  ], logo);
  const node = h("fieldset", {}, h("legend", {}, t("look.colors")), rows);
  const press = (swatches, now) => swatches.forEach(([own, button]) => put(button, "aria-pressed", String(own === now)));
  return {
    node,
    show() {
      const lower = (text) => String(text ?? "").toLowerCase();
      press(rim, value("card.rim") && value("card.rim") !== "none" ? lower(value("card.rim")) : "");
      press(card, lower(value("card.background")));
      const { kind, color } = backOf();
      press(back, kind === "pattern" || kind === "none" ? kind : kind === "color" ? lower(color) : "");
      put(logo, "aria-pressed", String(kind === "image"));
    },
  };
}

function backOf() {
  return { kind: value("back.pattern") ?? "none", color: value("back.color") }; // the key holds what the back is
}

async function chooseLogo() {
  const [file] = await chooseFiles({ accept: PICTURES, many: false });
  if (file) await upload([file], { role: "back" });
}

// more choices

function buildMore() {
  const open = controls?.more?.node.open ?? false;
  const options = (pairs) => pairs.map(([own, key]) => [own, `look.${key}`]);
  const field = (id, label, pairs, act) => {
    const made = choice(id, t(`look.${label}`), pairs, act);
    made.node.className = "field-row";
    return made;
  };
  const letters = field("letters", "letters", options(FONTS), (font) => look({ font: font || null }));
  const turned = field("turned", "turned", options(TURNS), (rotation) => look({ "layout.rotation": rotation }));
  const each = field("each", "each", [], (n) => look({ "deck.symbols_per_card": n ? Number(n) : null }));
  const sizes = field("sizes", "sizes", options(SPREADS), (spread) => look({ "layout.size_spread": Number(spread) }));
  const fuller = h("input", { type: "checkbox", id: "fuller", onchange: () => look({ "layout.quality": fuller.checked ? "best" : null }) });
  const node = h("details", { class: "more-choices" }, h("summary", {}, t("look.more")), letters.node, turned.node, each.node, sizes.node, h("label", { class: "check" }, fuller, t("look.fuller")));
  node.open = open;
  return {
    node,
    show() {
      letters.show(value("font") ?? "");
      turned.show(value("layout.rotation") ?? "full");
      showEach(each.select);
      sizes.show(String(nearestSpread(value("layout.size_spread") ?? 2)));
      fuller.checked = value("layout.quality") === "best";
    },
  };
}

const nearestSpread = (spread) => SPREADS.map(([own]) => Number(own)).sort((a, b) => Math.abs(a - spread) - Math.abs(b - spread))[0];

/** What fits the number of symbols: as many on each card as gives most cards, or fewer. */
function showEach(select) {
  const { line } = state.doc;
  const asked = value("deck.symbols_per_card");
  const most = asked ? Math.max(asked, line.best ?? line.per_card) : line.per_card;
  const key = `${most} ${document.documentElement.lang}`;
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    const fewer = [most - 1, most - 2, most - 3].filter((n) => n >= 3);
    select.replaceChildren(h("option", { value: "" }, t("look.each_most", { n: most })), ...fewer.map((n) => h("option", { value: n }, String(n))));
  }
  select.value = asked && asked !== most ? String(asked) : "";
}
