import { isMade, partsOf } from '../../db/statements/line-sums.queries.ts';

/** Payers see only refunds `r` that were made and not undone. */
export const isRefunded = isMade('r');

/** What refund line `l` returned to the card. */
export const refundedCash = partsOf('l');
