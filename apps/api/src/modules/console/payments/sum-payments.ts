import type { PaymentFilters, PaymentSummary } from '@brightpane/contract/office/payments';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { ok } from '../../../http/result.ts';
import { askShares } from './ask-shares.ts';
import { countSharesOfDays, sumShares } from './shares.queries.ts';

/** From here on, a list says "more than" and shows no sums. */
const MOST_SUMMED = 10_000;
const UNSUMMED = { in: null, back: null, net: null, tips: null };

/** The totals of a list's payments. */
export async function sumPayments(
  deps: Pick<Deps, 'db'>,
  { caller, asked }: { caller: OfficeCaller; asked: PaymentFilters },
) {
  const found = await askShares(deps, { caller, asked });
  if (!found.ok) return found;
  const { filters, hasManyCustomers } = found.value;
  // The first customers' payments alone would sum to less than what matches.
  if (hasManyCustomers) return ok<PaymentSummary>({ count: null, isMore: false, ...UNSUMMED });
  const most = MOST_SUMMED + 1;
  // With too many to sum, don't look any up.
  if ((await countSharesOfDays(deps.db.query, filters, { most })) === most) {
    return ok<PaymentSummary>({ count: null, isMore: true, ...UNSUMMED });
  }
  const sums = await sumShares(deps.db.query, filters, { most });
  const isMore = sums.count > MOST_SUMMED;
  if (isMore || sums.isBounded) return ok<PaymentSummary>({ count: null, isMore, ...UNSUMMED });
  return ok<PaymentSummary>({
    count: sums.count,
    isMore: false,
    in: toDollars(cents(sums.inCents)),
    back: toDollars(cents(sums.backCents)),
    net: toDollars(cents(sums.inCents - sums.backCents)),
    tips: toDollars(cents(sums.tipCents)),
  });
}
