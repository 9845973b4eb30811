/** The most that one search may hold. */
export const MOST_SEARCH_CHARACTERS = 100;
export const MOST_SEARCH_WORDS = 8;

const MARKS = /\p{M}+/gu;
const PARTS = /[\p{L}\p{N}]+/gu;

/** Ignores case and accents: `Zoë O'Brien` becomes `zoe`, `o`, `brien`. Stored and typed text are folded alike. */
const foldWords = (text: string): string[] =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().match(PARTS) ?? [];

/** The words that a text is searched by: of two letters or more, each once; one letter would match too much. */
export const searchWords = (text: string): string[] => [
  ...new Set(foldWords(text).filter((word) => word.length >= 2)),
];
