import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/root.ts';

/** Documents that state how long a proof takes. */
const DOCUMENTS = ['README.md', 'docs/money-safety.md'];
const DURATION = /(<!-- proof takes -->).*?(<!-- \/ -->)/g;

/** Writes the duration of a whole proof, and the number of cores, into the documents. */
export function tellDuration(took: { seconds: number; cores: number }): void {
  for (const document of DOCUMENTS) {
    const file = join(root, document);
    writeFileSync(file, withDuration(readFileSync(file, 'utf8'), took));
  }
}

export function withDuration(text: string, { seconds, cores }: { seconds: number; cores: number }): string {
  if (!text.match(DURATION)) throw new Error('There is no place for the duration of a proof.');
  return text.replaceAll(DURATION, `$1${Math.round(seconds / 60)} minutes on ${cores} cores$2`);
}
