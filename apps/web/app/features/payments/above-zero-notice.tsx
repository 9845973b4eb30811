import type { InvoiceTotals } from '@brightpane/money/invoice-totals';

/** Shown where services take off so much that nothing is left to pay. */
export function AboveZeroNotice({ totals }: { totals: Pick<InvoiceTotals, 'totalBeforeTipCents'> }) {
  if (totals.totalBeforeTipCents > 0) return null;
  return (
    <p className="notice notice-warning" role="status">
      The total before the tip has to be above $0.00. Please take less off the invoice.
    </p>
  );
}
