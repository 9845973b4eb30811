const MARKS = /\p{M}+/gu;
const PARTS = /[\p{L}\p{N}]+/gu;

/** Ignores case and accents: `Zoë O'Brien` becomes `zoe`, `o`, `brien`. Stored and typed text are folded alike. */
export function foldWords(text: string): string[] {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().match(PARTS) ?? [];
}
