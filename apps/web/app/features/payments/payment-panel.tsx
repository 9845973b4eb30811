import type { InvoiceTotals } from '@brightpane/money/invoice-totals';
import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import type { Dispatch, ReactNode } from 'react';
import type { Payable } from './payable/payable.ts';
import { LegalCheckbox } from './payable/terms/legal-checkbox.tsx';
import type { WorkToAccept } from './payable/terms/work-to-accept.ts';
import type { DraftChange, PaymentDraft } from './payment-draft.ts';
import { PaymentSummary } from './payment-summary.tsx';

/** The total of the selected invoices, and everything else a payment needs. */
export function PaymentPanel({
  selected,
  totals,
  draft,
  cardChoice,
  work,
  change,
}: {
  selected: readonly Payable[];
  totals: InvoiceTotals;
  draft: PaymentDraft;
  cardChoice: ReactNode;
  /** The work that the terms are accepted for; `null` if they were accepted before. */
  work: WorkToAccept | null;
  change: Dispatch<DraftChange>;
}) {
  return (
    <Card title="Payment" className="payment-panel">
      <PaymentSummary
        totals={totals}
        invoiceLabel={selected.length === 1 ? '1 invoice' : `${selected.length} invoices`}
        hasTips={selected.length === 0 || selected.some(({ invoice }) => invoice.tipsEnabled)}
      />
      {cardChoice}
      <div>
        {work !== null && (
          <LegalCheckbox
            work={work}
            accepted={draft.termsAcceptedFor === work}
            onChange={(accepted) => change({ type: 'accept-terms', acceptedFor: accepted ? work : null })}
          />
        )}
        <Checkbox
          label="Send me a receipt"
          checked={draft.sendReceipt}
          onChange={(event) => change({ type: 'send-receipt', sendReceipt: event.target.checked })}
        />
      </div>
    </Card>
  );
}
