import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, postgresAccount } from '../machine/postgres-account.ts';
import { root } from '../root.ts';
import { SYSTEM_DATA_DIR } from '../system-data-dir.ts';

/**
 * Where data is kept between starts: `DATA_DIR`, by default `.data` in the checkout. Root's Postgres runs as the user
 * `postgres`; if that user can't reach the checkout, data goes to a system folder.
 */
export function chooseDataDir(settings: NodeJS.ProcessEnv, say: (line: string) => void): string {
  const dataDir = settings.DATA_DIR ? resolve(settings.DATA_DIR) : join(root, '.data');
  const isReached = settings.DATA_DIR || settings.DATABASE_URL || canReach(postgresAccount(), root);
  if (!isReached) {
    say(`The user postgres cannot reach ${root}: data is kept in ${SYSTEM_DATA_DIR}.`);
  }
  const chosen = isReached ? dataDir : SYSTEM_DATA_DIR;
  mkdirSync(chosen, { recursive: true });
  return chosen;
}
