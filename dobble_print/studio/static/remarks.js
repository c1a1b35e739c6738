// What is worth a look: each remark as a sentence, with the buttons that solve it.
import { button, h } from "./dom.js";
import * as editor from "./editor.js";
import { chooseFiles, PICTURES } from "./intake.js";
import { drawArt } from "./list.js";
import { find, nameById, nameOf } from "./model.js";
import { openDialog } from "./say.js";
import { change } from "./state.js";
import { nameOfLanguage, parts, t } from "./texts.js";

const strong = (text) => h("em", {}, text);
const small = { small: true };

/** Return a remark as a part of a tile or of the editor. */
export function draw(remark, symbol, takeFiles) {
  const { said, acts } = (KINDS[remark.code] ?? KINDS.fault)(remark, symbol, takeFiles);
  return h("div", { class: "why" }, h("p", { id: `why-${symbol.id}` }, said), h("div", { class: "acts" }, acts));
}

const keep = (remark) => button(t("remarks.keep"), () => change([{ op: "keep", ids: [remark.symbol], remark: remark.code }], { late: false }), small);
const take = (id) => change([{ op: "remove", ids: [id] }]);
const head = (key, values) => [h("b", {}, parts(key, values))];

function choosePicture(label, symbol, takeFiles) {
  return button(label, async () => takeFiles(await chooseFiles({ accept: PICTURES, many: false }), symbol.id), small);
}

const search = (label, symbol) => button(label, () => editor.open(symbol.id, true), small);

function seeBoth(one, other) {
  const picture = (symbol) => {
    const box = h("span", { class: "big-art" });
    drawArt(box, symbol, false);
    return h("p", {}, box, h("b", {}, nameOf(symbol)));
  };
  openDialog(`${nameOf(one)} – ${nameOf(other)}`, [h("div", { class: "twins" }, picture(one), picture(other))]);
}

const ALIKE = { looks: "alike", colour: "color", letters: "letters", copy: "copy" };

const KINDS = {
  unknown(remark, symbol, takeFiles) {
    const { text, near = [] } = remark.values;
    const picture = choosePicture(t("remarks.picture"), symbol, takeFiles);
    if (!near.length) return { said: head("remarks.as_word", { name: text }), acts: [picture, keep(remark)] };
    const [guess] = near;
    const use = () => change([{ op: "set", id: symbol.id, picture: { kind: "word", text: guess } }]);
    const said = [...head("remarks.unknown", { name: text }), " ", ...parts("remarks.mean", { guess: strong(guess) })];
    return { said, acts: [button(t("remarks.use", { guess }), use, small), picture, keep(remark)] };
  },
  lookalike(remark, symbol) {
    const { other, reason } = remark.values;
    const said = head(`remarks.${ALIKE[reason] ?? "alike"}`, { other: strong(nameById(other)) });
    if (reason === "looks") said.push(" ", t("remarks.alike_hint"));
    const both = button(t("remarks.both"), () => seeBoth(symbol, find(other)), small);
    return { said, acts: [search(t("remarks.change", { name: nameOf(symbol) }), symbol), both, keep(remark)] };
  },
  same_picture(remark, symbol) {
    const { other } = remark.values;
    const said = other ? head("remarks.same_picture", { other: strong(nameById(other)) }) : [h("b", {}, remark.sentence)];
    return { said, acts: [search(t("remarks.change_one"), symbol), removeIt(symbol)] };
  },
  twice: (remark, symbol) => ({
    said: head("remarks.twice", { name: nameOf(symbol) }),
    acts: [button(t("remarks.remove_one"), () => take(symbol.id), small)],
  }),
  small: (remark, symbol, takeFiles) => ({
    said: head("remarks.small"),
    acts: [choosePicture(t("remarks.larger"), symbol, takeFiles), keep(remark)],
  }),
  pale(remark, symbol) {
    const go = button(t("remarks.change_card"), () => {
      location.hash = "cards";
      setTimeout(() => document.querySelector("#swatch-card button")?.focus(), 50);
    }, small);
    return { said: head("remarks.pale"), acts: [go, search(t("remarks.other"), symbol), keep(remark)] };
  },
  long: (remark) => ({ said: head("remarks.long"), acts: [keep(remark)] }),
  nameless(remark, symbol) {
    const { language } = remark.values;
    const name = nameOfLanguage(language);
    const save = () => field.value.trim() && change([{ op: "set", id: symbol.id, names: { [language]: field.value.trim() } }], { late: false });
    const field = h("input", { type: "text", "aria-label": `${nameOf(symbol)}: ${name}`, onchange: save, maxlength: 80, lang: language });
    return { said: head("remarks.no_name", { language: name }), acts: [field] };
  },
  sum(remark, symbol) {
    const { sum, right, given } = remark.values;
    if (right === undefined) return { said: [h("b", {}, remark.sentence)], acts: [removeIt(symbol), keep(remark)] };
    const use = () => change([{ op: "set", id: symbol.id, picture: { kind: "faces", text: [sum, String(right)] } }]);
    return { said: head("remarks.wrong_sum", { sum, right, given }), acts: [button(t("remarks.use", { guess: right }), use, small), keep(remark)] };
  },
  equal(remark, symbol) {
    const { other, value, sum, others } = remark.values;
    if (value === undefined) return { said: [h("b", {}, remark.sentence)], acts: [removeIt(symbol)] };
    const said = head("remarks.same_answer", { sum: sum ?? nameOf(symbol), other: others ?? nameById(other), value });
    const join = () => change([{ op: "join", ids: [other, symbol.id] }]);
    return { said, acts: [button(t("remarks.one"), join, small), button(t("remarks.remove", { name: sum ?? nameOf(symbol) }), () => take(symbol.id), small)] };
  },
  fault: (remark, symbol, takeFiles) => ({
    said: [h("b", {}, remark.sentence)],
    acts: [choosePicture(t("remarks.picture"), symbol, takeFiles), removeIt(symbol)],
  }),
};

const removeIt = (symbol) => button(t("remarks.remove", { name: nameOf(symbol) }), () => take(symbol.id), small);
