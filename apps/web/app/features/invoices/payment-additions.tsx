import type { Payment } from '@brightpane/contract/invoices/invoices';
import { formatUsd } from '@brightpane/money/cents';
import { centsOf } from './open-amounts.ts';

type Additions = Pick<Payment, 'additionalServiceAmount' | 'tipAmount'>;

/** What the payer added to a payment, or took off it, in words: nothing where it was the invoice alone. */
export function describeAdditions({ additionalServiceAmount, tipAmount }: Additions): string {
  const services = centsOf(additionalServiceAmount);
  const tip = centsOf(tipAmount);
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
