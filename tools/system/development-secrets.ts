import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './write-whole.ts';

/**
 * Secrets for a portal on one's own machine, created once and kept, so that sessions and encrypted keys survive a
 * restart. Two are fixed, so that the README's examples can be pasted; production refuses these.
 */
export function developmentSecrets(dataDir: string): Record<string, string> {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const made = { TOKEN_SECRET: randomBytes(32).toString('hex'), DATA_KEY: randomBytes(32).toString('hex') };
    writeWhole(file, JSON.stringify(made, null, 2));
  }
  return { API_SECRET: 'dev-api-secret', OFFICE_API_KEY: 'dev-office-key', ...readKept(file) };
}

/** Never replaces a file that can't be read: it may hold the only key to what the database has encrypted. */
function readKept(file: string): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (kept !== null && typeof kept === 'object') return kept as Record<string, string>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error(
    `${file} can't be read, perhaps because the disk was full when it was written. Put it back from a copy. Without one, delete it: the next start makes new secrets, under which saved cards and merchant keys have to be entered again.`,
  );
}
