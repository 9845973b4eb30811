import type { Cents } from '@brightpane/money/cents';
import type { InvoiceTotals } from '@brightpane/money/invoice-totals';
import { Money } from '@brightpane/ui/words/money.tsx';
import type { ReactNode } from 'react';

/** How a payment adds up, line by line. Screen readers hear the total when it changes. */
export function PaymentSummary({
  totals,
  hasTips = true,
  invoiceLabel = 'Invoice',
}: {
  totals: InvoiceTotals;
  /** False if none of its invoices takes tips. */
  hasTips?: boolean;
  invoiceLabel?: string;
}) {
  return (
    <dl className="summary">
      <Line label={invoiceLabel} cents={totals.invoiceCents} />
      <Line label="Additional services" cents={totals.servicesCents} />
      <Line label="Subtotal" cents={totals.subtotalCents} />
      <Line label="Tax" cents={totals.taxCents} />
      {hasTips && <Line label="Tip" cents={totals.tipCents} />}
      <div className="summary-total">
        <dt>Total</dt>
        <dd aria-live="polite">
          <Money cents={totals.totalCents} />
        </dd>
      </div>
    </dl>
  );
}

function Line({ label, cents }: { label: ReactNode; cents: Cents }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Money cents={cents} />
      </dd>
    </div>
  );
}
