import type { ListedPayment, PaymentLine } from '@brightpane/contract/invoices/payment-history';
import { formatUsd } from '@brightpane/money/cents';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { centsOf } from '../invoices/open-amounts.ts';

export const NOT_COLLECTED = 'Not collected. Your card was not charged.';

/** Who paid, as a table cell under "Paid by". */
export const PAID_BY: Record<ListedPayment['by'], string> = {
  you: 'You',
  'someone-else': 'Someone else',
  office: 'Paid to your office',
};

/** Who paid, where no heading says what it is. */
export const WHO_PAID: Record<ListedPayment['by'], string> = {
  you: 'Paid by you',
  'someone-else': 'Paid by someone else',
  office: 'Paid to your office',
};

/** `$123.45, Nov 3, 2026`: tells payments apart. */
export const amountAndDay = ({ amount, paidAt }: Pick<ListedPayment, 'amount' | 'paidAt'>): string =>
  `${formatUsd(centsOf(amount))}, ${formatWireDate(paidAt)}`;

/** Where the work was done; empty if the location no longer belongs to the account. */
export const lineAddress = ({ addressLine1, city, state }: PaymentLine): string =>
  [addressLine1, city, state].filter(Boolean).join(', ');
