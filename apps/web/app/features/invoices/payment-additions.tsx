import type { Payment } from '@brightpane/contract/invoices/invoices';
import { cents, formatUsd } from '@brightpane/money/cents';
import { centsOf } from './open-amounts.ts';

type Additions = Pick<Payment, 'amount' | 'additionalServiceAmount' | 'tipAmount'>;

/**
 * What the payer added to a payment, or took off it, in words: nothing where it was the invoice alone. A refund names its
 * parts as the payment did, and nothing where it is the tip alone.
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
