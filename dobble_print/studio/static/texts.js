// What the page says, in its language: whole sentences with places {like this} and {n: one form | other forms}.
// The notation of the program's own texts (words/plurals.py), but that a number stands only where a form has its #.
import { ask } from "./api.js";

export const LANGUAGES = { en: "English", nl: "Nederlands", fr: "Français", de: "Deutsch", es: "Español", it: "Italiano", pt: "Português", pl: "Polski" };
const region = () => navigator.languages.find((code) => code.split("-")[0] === language) ?? language;
const PLACE = /{(\w+)(?::((?:[^{}]|{\w+})*))?}/g;
let texts = {};
let plurals = ["one", "other"]; // the categories that the forms of a text stand for, in their order
export let language = "en";
const missing = new Set();

/** Choose the page's language: what was chosen before, else the browser's first that we speak. */
export function preferred() {
  const asked = [localStorage.getItem("language"), ...navigator.languages].filter(Boolean).map((code) => code.slice(0, 2));
  return asked.find((code) => code in LANGUAGES) ?? "en";
}

export async function load(code) {
  ({ texts, plurals } = await ask("GET", `texts/${code}`));
  language = code;
  document.documentElement.lang = code;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
}

function find(key) {
  const [section, name] = key.split(".");
  const text = texts[section]?.[name];
  if (text === undefined && !missing.has(key)) {
    missing.add(key);
    console.error(`no text ${key} in ${language}`);
  }
  return text ?? key;
}

export function has(key) {
  const [section, name] = key.split(".");
  return texts[section]?.[name] !== undefined;
}

/** Return a sentence. With `words`, a small number is written as a word. */
export function t(key, values = {}, { words = false } = {}) {
  return capital(fill(find(key), values, words).join(""), words);
}

/** Return a sentence as nodes and strings: a value may be a node, such as a bold name. */
export function parts(key, values = {}) {
  return fill(find(key), values, false);
}

function fill(text, values, words) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    found.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, name, forms] = match;
    const value = values[name];
    if (forms === undefined) found.push(value ?? "");
    else found.push(...fill(choose(Number(value), forms, words), values, words));
  }
  found.push(text.slice(end));
  return found.filter((part) => part !== "");
}

function choose(number, forms, words) {
  const given = forms.split("|").map((form) => form.trim());
  const place = plurals.indexOf(new Intl.PluralRules(language).select(number));
  const form = given[place < 0 ? given.length - 1 : Math.min(place, given.length - 1)];
  const shown = words ? (texts.numbers?.[number] ?? String(number)) : number.toLocaleString(language);
  return form.replaceAll("#", shown);
}

function capital(text, words) {
  return words ? text.charAt(0).toLocaleUpperCase(language) + text.slice(1) : text;
}

/** Return names in a row: sun, tree and guitar. */
export function row(names) {
  return new Intl.ListFormat(region(), { type: "conjunction" }).format(names);
}

export function nameOfLanguage(code) {
  try {
    return capital(new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code, language === "en");
  } catch {
    return code;
  }
}

export function when(stamp) {
  const then = new Date(stamp);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / 86_400_000);
  const time = clock(then);
  if (days === 0) return t("empty.today", { time });
  if (days === 1) return t("empty.yesterday", { time });
  return t("empty.before", { date: then.toLocaleDateString(region(), { day: "numeric", month: "long" }) });
}

export function clock(then = new Date()) {
  return then.toLocaleTimeString(region(), { hour: "2-digit", minute: "2-digit" });
}

export function decimal(number, digits = 1) {
  return number.toLocaleString(region(), { maximumFractionDigits: digits });
}
