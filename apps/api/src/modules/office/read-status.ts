import type { Status } from '@brightpane/contract/office';
import { listUnreadableSecrets } from '../../crypto/unreadable-secrets.queries.ts';
import type { Deps } from '../../deps.ts';
import { countOpenMail, countOpenPayments, findLastImport } from './status.queries.ts';

/** What is open: payments under way, mail that waits, charges that need a person. */
export async function readStatus({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<Status> {
  const [payments, mail, lastImportAt, unreadableSecrets] = await Promise.all([
    countOpenPayments(db.query, { publicUrl: env.PUBLIC_URL }),
    countOpenMail(db.query),
    findLastImport(db.query),
    listUnreadableSecrets(db.query),
  ]);
  return { lastImportAt, payments, mail, unreadableSecrets };
}
