// Reads what the program says of a game: names, pictures, who waits.
import { art, thumb } from "./api.js";
import { state } from "./state.js";

export const find = (id) => state.doc?.symbols.find((symbol) => symbol.id === id);

const MOST_FILLED = 12; // words that the program adds at once: more would hide those that one brought

/** Whether the program may add so many words: sums and letters have none, nor have languages without a lexicon. */
export const canFill = (count) => {
  const { symbols, languages } = state.doc;
  const spoken = languages.every((code) => state.languages.some((each) => each.code === code.split("-")[0] && each.lexicon));
  const bare = symbols.filter(({ kind }) => kind === "faces" || kind === "text").length;
  return count <= MOST_FILLED && spoken && bare * 2 < symbols.length;
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
