// Separate from the typesetting, whose fonts only the drawing thread loads.

/** Isolates a name, so that it can't reorder the text around it. */
export function isolated(text: string): string {
  return `\u2068${text.replace(INVISIBLE, '').replace(ISOLATES, '')}\u2069`;
}

/** Marks that reorder text, and invisible characters: a name must not rearrange an invoice. */
export const INVISIBLE =
  /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2067\u206a-\u206f\ufeff]|\p{Cs}/gu;

const ISOLATES = /[\u2068\u2069]/gu;
