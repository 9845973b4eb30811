import type { Status } from '@brightpane/contract/office';
import { listUnreadableSecrets } from '../../crypto/unreadable-secrets.queries.ts';
import type { Deps } from '../../deps.ts';
import { readLaneLags } from '../../jobs/lanes/lags.queries.ts';
import { listSilent } from '../../jobs/lanes/list-silent.ts';
import { isLaneLate } from '../../jobs/lanes/watch-lanes.ts';
import { countOpenMail, countOpenPayments, countRefunds, findLastImport } from './status.queries.ts';

/** Open work: unfinished payments and refunds, waiting mail, and what needs a person. */
export async function readStatus({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<Status> {
  const [payments, refunds, mail, lastImportAt, unreadableSecrets, lags, notAnswering] = await Promise.all([
    countOpenPayments(db.query, { publicUrl: env.PUBLIC_URL }),
    countRefunds(db.query),
    countOpenMail(db.query),
    findLastImport(db.query),
    listUnreadableSecrets(db.query),
    readLaneLags(db.query),
    listSilent(db.query),
  ]);
  const late = lags.filter(isLaneLate).map(({ lane, seconds }) => ({ lane, seconds: Math.round(seconds) }));
  return { lastImportAt, payments, refunds, mail, unreadableSecrets, background: { late, notAnswering } };
}
