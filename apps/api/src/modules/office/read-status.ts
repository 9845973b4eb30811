import type { Status } from '@brightpane/contract/office';
import { countStaleSecrets } from '../../crypto/stale-secrets.queries.ts';
import { listUnreadableSecrets } from '../../crypto/unreadable-secrets.queries.ts';
import type { Deps } from '../../deps.ts';
import { readLaneLags } from '../../jobs/lanes/lags.queries.ts';
import { listSilent } from '../../jobs/lanes/list-silent.ts';
import { isLaneLate } from '../../jobs/lanes/watch-lanes.ts';
import { listBrokenRules } from '../payments/books/known-violations.queries.ts';
import {
  countHeldAccess,
  countOpenMail,
  countOpenPayments,
  countRefunds,
  findLastImport,
} from './status.queries.ts';

/** Open work: unfinished payments and refunds, waiting mail, and what needs a person. */
export async function readStatus({
  db: { query },
  env,
  secretBox,
}: Pick<Deps, 'db' | 'env' | 'secretBox'>): Promise<Status> {
  const place = { publicUrl: env.PUBLIC_URL };
  const [
    payments,
    access,
    brokenRules,
    refunds,
    mail,
    lastImportAt,
    unreadableSecrets,
    secretsUnderEarlierKey,
    lags,
    notAnswering,
  ] = await Promise.all([
    countOpenPayments(query, place),
    countHeldAccess(query),
    listBrokenRules(query),
    countRefunds(query),
    countOpenMail(query),
    findLastImport(query),
    listUnreadableSecrets(query),
    countStaleSecrets(query, secretBox),
    readLaneLags(query, place),
    listSilent(query, place),
  ]);
  const late = lags.filter(isLaneLate).map(({ lane, seconds }) => ({ lane, seconds: Math.round(seconds) }));
  return {
    lastImportAt,
    payments,
    access,
    brokenRules,
    refunds,
    mail,
    unreadableSecrets,
    secretsUnderEarlierKey,
    background: { late, notAnswering },
  };
}
