import type { Status } from '@brightpane/contract/office';
import type { Deps } from '../../deps.ts';
import { countOpenMail, countOpenPayments, findLastImport } from './status.queries.ts';

/** What is open: payments under way, mail that waits, charges that need a person. */
export async function readStatus({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<Status> {
  const [payments, mail, lastImportAt] = await Promise.all([
    countOpenPayments(db.query, { publicUrl: env.PUBLIC_URL }),
    countOpenMail(db.query),
    findLastImport(db.query),
  ]);
  return { lastImportAt, payments, mail };
}
