// Speaks to the program: one function for what is asked, one for the stream of events. Nothing leaves this computer.
import * as texts from "./texts.js";

const listeners = new Set();
let reachable = true;

/** What the program refuses, in a sentence for a person. */
export class Refusal extends Error {
  constructor(status, fault, body) {
    super(fault.sentence || String(status));
    Object.assign(this, { status, code: fault.code ?? "", hint: fault.hint ?? "", details: fault.details ?? "", body });
  }
}

/** The program does not answer. */
export class Stopped extends Error {}

/** Hear whether the program answers. */
export function onReach(hear) {
  listeners.add(hear);
}

export function tellReach(now) {
  if (now === reachable) return;
  reachable = now;
  for (const hear of listeners) hear(now);
}

export async function ask(method, path, body, { type = "", signal, keepalive = false } = {}) {
  const headers = { "Accept-Language": texts.language ?? "en" };
  let sent = body;
  if (type) headers["Content-Type"] = type;
  else if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    sent = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}`, { method, headers, body: sent, signal, keepalive });
  } catch (error) {
    if (signal?.aborted) throw error;
    tellReach(false);
    throw new Stopped(String(error));
  }
  tellReach(true);
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const found = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, found?.fault ?? { sentence: isJson ? "" : answer.statusText }, found);
  return found;
}

/** Follow a stream of events; return a function that ends it. */
export function follow(path, hearers) {
  const source = new EventSource(`/api/${path}`);
  for (const [name, hear] of Object.entries(hearers)) source.addEventListener(name, (event) => hear(JSON.parse(event.data)));
  source.addEventListener("open", () => tellReach(true));
  source.addEventListener("error", () => source.readyState !== EventSource.OPEN && check());
  return () => source.close();
}

/** See whether the program is there; the answer goes to whoever listens. */
export async function check() {
  try {
    await fetch("/api/limits", { cache: "no-store" });
    tellReach(true);
  } catch {
    tellReach(false);
  }
  return reachable;
}

export const art = (digest) => `/api/art/${digest}`;
export const thumb = (digest) => `/api/art/${digest}/thumb`;
