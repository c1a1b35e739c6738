// Builds and changes nodes. Names and words from outside go in as text, never as markup.

export const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/** Make an element: `on…` are listeners, `data-…` and the rest attributes; null and false leave an attribute out. */
export function h(name, given = {}, ...children) {
  return dress(document.createElement(name), given, children);
}

/** Make an element of a drawing. */
export function s(name, given = {}, ...children) {
  return dress(document.createElementNS(SVG, name), given, children);
}

function dress(node, given, children) {
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled") node[key] = value;
    else put(node, key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Set an attribute, or take it away, only where it differs. */
export function put(node, key, value) {
  const text = value === true ? "" : value;
  if (value === null || value === undefined || value === false) node.removeAttribute(key);
  else if (node.getAttribute(key) !== String(text)) node.setAttribute(key, text);
}

export function icon(name, extra = "") {
  return s("svg", { class: `ico ${extra}`.trim(), "aria-hidden": "true" }, s("use", { href: `/static/icons.svg#${name}` }));
}

export function button(label, act, { small = false, primary = false, quiet = false, picture = "", ...more } = {}) {
  const kind = ["btn", small && "small", primary && "primary", quiet && "quiet"].filter(Boolean).join(" ");
  return h("button", { type: "button", class: kind, onclick: act, ...more }, picture && icon(picture), label);
}

/** Write text where it differs, so that readers hear only what is new. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Put these nodes into a parent, in this order; what stays is not touched, and focus stays where it was. */
export function arrange(parent, nodes) {
  const held = document.activeElement;
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
  if (held && held !== document.activeElement && held.isConnected) held.focus({ preventScroll: true });
}

/** Keep a node for each item of a list, by its key: made once, changed when the item changes, gone with it. */
export function keeper(make, change) {
  const known = new Map();
  return (items, keyOf) => {
    const kept = new Set();
    const nodes = items.map((item, index) => {
      const key = keyOf(item, index);
      kept.add(key);
      if (!known.has(key)) known.set(key, make(item, index));
      change(known.get(key), item, index);
      return known.get(key);
    });
    for (const key of [...known.keys()]) if (!kept.has(key)) known.delete(key);
    return nodes;
  };
}

/** Call a function once the calls have paused. */
export function later(act, pause) {
  let timer = 0;
  let last = null;
  const run = () => {
    timer = 0;
    const given = last;
    last = null;
    if (given) act(...given);
  };
  const call = (...given) => {
    clearTimeout(timer);
    last = given;
    timer = setTimeout(run, pause);
  };
  call.flush = () => {
    clearTimeout(timer);
    run();
  };
  return call;
}
