import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Secrets for a portal on one's own machine, created once and kept, so that sessions and encrypted keys survive a
 * restart. Two are fixed, so that the README's examples can be pasted; production refuses these.
 */
export function developmentSecrets(dataDir: string): Record<string, string> {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const made = { TOKEN_SECRET: randomBytes(32).toString('hex'), DATA_KEY: randomBytes(32).toString('hex') };
    writeFileSync(file, JSON.stringify(made, null, 2), { mode: 0o600 });
  }
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return { API_SECRET: 'dev-api-secret', OFFICE_API_KEY: 'dev-office-key', ...kept };
}
