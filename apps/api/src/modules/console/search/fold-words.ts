const MARKS = /\p{M}+/gu;
const PARTS = /[\p{L}\p{N}]+/gu;

/** Case and accents do not matter: `Zoë O'Brien` is `zoe`, `o`, `brien`. What is stored and what is typed are folded alike. */
export function foldWords(text: string): string[] {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().match(PARTS) ?? [];
}
