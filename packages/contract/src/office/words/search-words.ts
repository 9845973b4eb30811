/** The most that one search may hold. */
export const MOST_SEARCH_CHARACTERS = 100;
export const MOST_SEARCH_WORDS = 8;

// Both as the database folds and splits what it stores (`fold_text`, `fold_words`), or names wouldn't find themselves. In
// Arabic, Devanagari, Thai and kana a mark is part of the letter.
const ACCENTS = /[\u0300-\u036f]+/g;
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+/;
const HAS_LETTER = /[\p{L}\p{N}]/u;

/** Ignores case and accents: `Zoë O'Brien` becomes `zoe`, `o`, `brien`. Stored and typed text are folded alike. */
const foldWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => HAS_LETTER.test(word));

/** The words that a text is searched by: of two letters or more, each once; one letter would match too much. */
export const searchWords = (text: string): string[] => [
  ...new Set(foldWords(text).filter((word) => word.length >= 2)),
];
