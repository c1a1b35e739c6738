// Reads what the program says of a game: names, pictures, who waits.
import { art, thumb } from "./api.js";
import { state } from "./state.js";

export const find = (id) => state.doc?.symbols.find((symbol) => symbol.id === id);

/** Whether the program may add words: sums and letters have none. */
export const canFill = () => {
  const { symbols } = state.doc;
  return symbols.filter(({ kind }) => kind === "faces" || kind === "text").length * 2 < symbols.length;
};

/** What a symbol is called on this page: its name in the game's first language, else what was typed. */
export function nameOf(symbol) {
  if (!symbol) return "";
  for (const code of state.doc?.languages ?? []) if (symbol.names[code]) return symbol.names[code];
  return Object.values(symbol.names)[0] ?? symbol.text;
}

export const nameById = (id) => nameOf(find(id)) || id;
export const isWaiting = (symbol) => Boolean(symbol?.waiting);
export const firstArt = (symbol) => symbol?.art?.[0] ?? "";

/** Return the address of a picture; drawings are small, photos have a thumbnail. */
export function pictureOf(name, small) {
  if (!name) return "";
  return small ? thumb(name) : art(name);
}
