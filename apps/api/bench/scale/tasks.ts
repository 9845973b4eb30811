import type { Deps } from '../../src/deps.ts';
import { forgetOld } from '../../src/jobs/forget-old.ts';
import { readStatus } from '../../src/modules/office/read-status.ts';
import { checkBooks } from '../../src/modules/payments/check-books.ts';
import { compareBooks } from '../../src/modules/payments/compare-books.ts';
import { expirePayments } from '../../src/modules/payments/expire-payments.ts';
import { findHolds } from '../../src/modules/payments/find-holds.ts';
import { settleCharges } from '../../src/modules/payments/settle-charges.ts';

/** What looks at all the books, and must not take longer because they are long. */
export const TASKS: Record<string, (deps: Deps) => Promise<unknown>> = {
  sweep: async (deps) => {
    await expirePayments(deps);
    await findHolds(deps);
    await settleCharges(deps);
  },
  'check of the recent books': checkBooks,
  'nightly comparison': compareBooks,
  'status of the office': readStatus,
  'removal of what is old': forgetOld,
};
