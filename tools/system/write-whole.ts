import { renameSync, writeFileSync } from 'node:fs';

/** Writes a private file whole or not at all: a full disk, or a kill, leaves what was there before. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
