import type { Deps } from '../deps.ts';
import { blankOldMails } from '../modules/account/close/close.queries.ts';
import { forgetExpired } from '../modules/auth/users/forget-expired.ts';
import { removeCountersEndedBy } from '../modules/limits/limits.queries.ts';
import { forgetOldImports } from '../modules/office/import/import-record.queries.ts';
import { expireRefunds } from '../modules/payments/refunds/sweep/expire-refunds.ts';
import { forgetStaff } from '../modules/staff/forget-staff.ts';

const STEPS: readonly ((deps: Deps) => Promise<void>)[] = [
  ({ db, clock }) => removeCountersEndedBy(db.query, clock()),
  forgetExpired,
  forgetStaff,
  ({ db }) => blankOldMails(db.query),
  ({ db }) => forgetOldImports(db.query),
  expireRefunds,
];

/**
 * Removes expired data that nobody will ask for again. A step that fails keeps no other from its work; the first
 * failure is thrown in the end.
 */
export async function forgetOld(deps: Deps): Promise<void> {
  const failures: unknown[] = [];
  for (const step of STEPS) await step(deps).catch((error: unknown) => void failures.push(error));
  // The lane reports what is thrown.
  for (const error of failures.slice(1))
    deps.log.error({ err: error, task: 'forget-old' }, 'a background task failed');
  if (failures.length > 0) throw failures[0];
}
