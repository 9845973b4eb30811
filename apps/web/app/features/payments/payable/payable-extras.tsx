import { AdditionalServices } from './additional-services.tsx';
import { payableTotals } from './payable.ts';
import type { PayableRowProps } from './payable-rows.ts';
import { TipSelector } from './tip-selector.tsx';

/** Tip and additional services of a selected invoice. */
export function PayableExtras({ payable, line, amountErrors, noteErrors, change }: PayableRowProps) {
  const { key, invoice } = payable;
  const totals = payableTotals(payable, line);
  return (
    <div className="payable-extras">
      {invoice.tipsEnabled && (
        <TipSelector
          tip={{ amountCents: line.tipCents, unclear: line.unclearTip }}
          totals={totals}
          onChange={({ amountCents, unclear }) =>
            change({ type: 'tip', tips: [[key, amountCents, unclear]] })
          }
        />
      )}
      <AdditionalServices
        services={line.services}
        errors={{ amount: amountErrors, note: noteErrors }}
        onChange={(services) => change({ type: 'services', key, services })}
      />
      {totals.totalBeforeTipCents <= 0 && (
        <p className="notice notice-warning" role="status">
          The total before the tip has to be above $0.00. Please take less off the invoice.
        </p>
      )}
    </div>
  );
}
