// Says things: to readers in one polite region (the last one wins, at most one a second), and on screen where all look.
import { $, button, h, icon } from "./dom.js";
import { t } from "./texts.js";

let waiting = null;
let quietUntil = 0;

export function announce(text) {
  const isFree = waiting === null;
  waiting = text;
  if (isFree) setTimeout(speak, Math.max(0, quietUntil - Date.now()));
}

function speak() {
  $("live").textContent = waiting;
  waiting = null;
  quietUntil = Date.now() + 1000;
}

const shown = new Map();
const CALM = ["tabs", "forgotten"]; // kinds that only tell

/** Show a notice below the header until it is taken away; one of each kind. */
export function notify(kind, sentence, ...acts) {
  silence(kind);
  const close = h("button", { type: "button", class: "icon", "aria-label": t("page.close"), onclick: () => silence(kind) }, icon("close"));
  const isCalm = CALM.includes(kind);
  const notice = h("div", { class: isCalm ? "notice calm" : "notice", "data-kind": kind }, icon(isCalm ? "check" : "warn"), h("p", {}, sentence), ...acts, close);
  shown.set(kind, notice);
  $("notices").append(notice);
}

export function silence(kind) {
  shown.get(kind)?.remove();
  shown.delete(kind);
}

/** Take away what was said of another game. */
export function silenceAll() {
  for (const kind of [...shown.keys()]) if (kind !== "stopped") silence(kind);
}

/** Show what was refused, in the program's own sentence. */
export function tell(refusal, kind = "refused") {
  const sentence = [refusal.message, refusal.hint].filter(Boolean).join(" ");
  const copy = refusal.details && button(t("cannot.copy_details"), () => copyDetails(refusal.details), { small: true });
  notify(kind, sentence, copy || "");
}

export async function copyDetails(details) {
  await navigator.clipboard.writeText(details);
  announce(t("cannot.copied"));
}

/** Open the one dialog with a heading and what stands below it; return a function that closes it. */
export function openDialog(heading, body, { wide = false, onClose = () => {} } = {}) {
  const dialog = $("dialog");
  dialog.classList.toggle("wide", wide);
  $("dialog-h").textContent = heading;
  $("dialog-body").replaceChildren(...body);
  $("dialog-close").onclick = () => dialog.close();
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.onclose = onClose;
  if (!dialog.open) dialog.showModal();
  $("dialog-h").focus();
  return () => dialog.close();
}
