import { AboveZeroNotice } from '../above-zero-notice.tsx';
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
      <AboveZeroNotice totals={totals} />
    </div>
  );
}
