import type { Deps } from '../deps.ts';
import { blankOldMails } from '../modules/account/close/close.queries.ts';
import { forgetExpired } from '../modules/auth/users/forget-expired.ts';
import { removeCountersEndedBy } from '../modules/limits/limits.queries.ts';
import { forgetOldImports } from '../modules/office/import/import-record.queries.ts';
import { expireRefunds } from '../modules/payments/refunds/sweep/expire-refunds.ts';
import { forgetStaff } from '../modules/staff/forget-staff.ts';

/** Removes expired data that nobody will ask for again. */
export async function forgetOld(deps: Deps): Promise<void> {
  await removeCountersEndedBy(deps.db.query, deps.clock());
  await forgetExpired(deps);
  await forgetStaff(deps);
  await blankOldMails(deps.db.query);
  await forgetOldImports(deps.db.query);
  await expireRefunds(deps);
}
