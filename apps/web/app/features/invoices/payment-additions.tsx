import type { Payment } from '@brightpane/contract/invoices/invoices';
import { cents, formatUsd } from '@brightpane/money/cents';
import { centsOf } from './open-amounts.ts';

type Additions = Pick<Payment, 'amount' | 'additionalServiceAmount' | 'tipAmount'>;

/**
 * Describes what the payer added to an invoice or took off it; empty if nothing. A refund lists its parts like a
 * payment, and is empty if it refunds only the tip.
 */
export function describeAdditions({ amount, additionalServiceAmount, tipAmount }: Additions): string {
  if (amount < 0 && tipAmount === amount) return '';
  const sign = amount < 0 ? -1 : 1;
  const services = cents(sign * centsOf(additionalServiceAmount));
  const tip = cents(sign * centsOf(tipAmount));
  return [
    services === 0 ? '' : `${formatUsd(services)} additional services`,
    tip === 0 ? '' : `${formatUsd(tip)} tip`,
  ]
    .filter((part) => part !== '')
    .join(' and ');
}

export function PaymentAdditions({ payment }: { payment: Additions }) {
  const added = describeAdditions(payment);
  return added === '' ? null : <div className="quiet">with {added}</div>;
}
