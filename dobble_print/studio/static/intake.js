// Takes what people bring: dropped and chosen files, whole folders, what they paste; and makes symbols or a game of it.
import { $ } from "./dom.js";
import { t } from "./texts.js";

const PICTURE = /\.(svg|png|jpe?g|webp|heic|heif|gif|bmp|tiff?|avif)$/i;
const TABLE = /\.(csv|tsv|xlsx|txt)$/i;
const GAME = /\.(zip|ya?ml)$/i;
const DEEPEST = 4; // folders in folders
const MOST = 400;

/** Sort files by what the studio makes of them; whatever it does not know goes with the pictures and is refused there. */
export function sortFiles(files) {
  const wanted = files.filter((file) => !/^\.|^(thumbs\.db|desktop\.ini)$/i.test(file.name));
  const games = wanted.filter((file) => GAME.test(file.name));
  const tables = wanted.filter((file) => TABLE.test(file.name));
  const pictures = wanted.filter((file) => !GAME.test(file.name) && !TABLE.test(file.name));
  return { games, tables, pictures };
}

export const isPicture = (file) => PICTURE.test(file.name) || file.type.startsWith("image/");

/** Return all files of a drop, folders opened, in the order of their names. */
export async function listDropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  const found = [];
  for (const entry of entries) await walk(entry, found, 0);
  return found;
}

async function walk(entry, found, depth) {
  if (found.length >= MOST) return;
  if (entry.isFile) {
    found.push(await new Promise((done, fail) => entry.file(done, fail)));
    return;
  }
  if (depth >= DEEPEST) return;
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) break;
    inside.push(...some);
  }
  inside.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  for (const each of inside) await walk(each, found, depth + 1);
}

/** Ask for files by the system's own dialog. */
export function chooseFiles({ accept = "", many = true } = {}) {
  return new Promise((done) => {
    const input = $("files-in");
    input.accept = accept;
    input.multiple = many;
    input.value = "";
    input.onchange = () => done([...input.files]);
    input.oncancel = () => done([]);
    input.click();
  });
}

export const PICTURES = ".svg,.png,.jpg,.jpeg,.webp,.heic,.heif";
export const GAMES = ".zip,.yaml,.yml";
export const TABLES = ".csv,.tsv,.xlsx";

/** Follow files that are dragged over the page, and what is dropped or pasted outside fields. */
export function watch({ files, text }) {
  let depth = 0;
  const brings = (event) => event.dataTransfer?.types.includes("Files");
  const show = (is) => document.body.classList.toggle("dropping", is);
  addEventListener("dragenter", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    depth += 1;
    show(true);
  });
  addEventListener("dragover", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    const tile = event.target.closest?.(".tile[data-id]");
    for (const other of document.querySelectorAll(".drop-on")) if (other !== tile) other.classList.remove("drop-on");
    tile?.classList.add("drop-on");
    $("drop").querySelector("b").textContent = tile ? t("drop.replace", { name: tile.dataset.name }) : t("drop.here");
  });
  addEventListener("dragleave", (event) => {
    if (brings(event)) depth -= 1;
    if (depth <= 0) {
      depth = 0;
      show(false);
    }
  });
  addEventListener("drop", async (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    const tile = event.target.closest?.(".tile[data-id]");
    tile?.classList.remove("drop-on");
    files(await listDropped(event.dataTransfer), tile?.dataset.id ?? "");
  });
  addEventListener("paste", (event) => {
    const inField = event.target.closest?.("input, textarea, select");
    const pasted = [...(event.clipboardData?.files ?? [])];
    const words = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length && (!inField || !words)) {
      event.preventDefault();
      files(pasted, "");
    } else if (!inField && words.trim()) {
      event.preventDefault();
      text(words);
    }
  });
}
