// Apart from the typesetting, whose fonts only the thread that draws documents loads.

/** Keeps a name in a sentence from reordering what stands around it. */
export function isolated(text: string): string {
  return `\u2068${text.replace(INVISIBLE, '').replace(ISOLATES, '')}\u2069`;
}

/** Marks that reorder text, and characters that show nothing: a name may not rearrange an invoice. */
export const INVISIBLE =
  /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2067\u206a-\u206f\ufeff]|\p{Cs}/gu;

const ISOLATES = /[\u2068\u2069]/gu;
