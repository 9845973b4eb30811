import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DEFAULT_TERMS } from './default-terms.ts';

/** The terms that payers accept. */
export type Terms = {
  /** A hash of the text, so another text is another version. */
  version: string;
  /** Blank lines separate paragraphs; `## ` starts a heading, `- ` a list item. */
  text: string;
};

const VERSION_LENGTH = 12;
const MOST_CHARACTERS = 100_000;

/** The terms from the file, or the default ones. `null`: no usable text. */
export function readTerms(file: string | undefined): Terms | null {
  const text = file === undefined ? DEFAULT_TERMS : readText(file);
  const written = text?.replace(/\r\n?/g, '\n').trim();
  if (!written || written.length > MOST_CHARACTERS) return null;
  const version = createHash('sha256').update(written).digest('hex').slice(0, VERSION_LENGTH);
  return { version, text: written };
}

function readText(file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    return null;
  }
}
