import type { InvoiceTotals } from '@brightpane/money/invoice-totals';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { Card } from '@brightpane/ui/page/card.tsx';
import { AboveZeroNotice } from '../payments/above-zero-notice.tsx';
import { AdditionalServices, type ServicesDraft } from '../payments/payable/additional-services.tsx';
import type { AmountDraft } from '../payments/payable/amount-field.tsx';
import { TipSelector } from '../payments/payable/tip-selector.tsx';
import { PaymentSummary } from '../payments/payment-summary.tsx';

/** The amount to pay, and what the payer adds to it. */
export function ConfirmAmountCard({
  totals,
  services,
  tip,
  tipsEnabled,
  errors,
  onServices,
  onTip,
}: {
  totals: InvoiceTotals;
  services: ServicesDraft;
  tip: AmountDraft;
  tipsEnabled: boolean;
  errors: FieldErrors;
  onServices: (services: ServicesDraft) => void;
  onTip: (tip: AmountDraft) => void;
}) {
  return (
    <Card title="Confirm Amount" className="confirm-amount">
      <AdditionalServices
        services={services}
        errors={{ amount: errors.additionalServiceAmount, note: errors.additionalServicesNote }}
        onChange={onServices}
      />
      {tipsEnabled && <TipSelector tip={tip} totals={totals} onChange={onTip} />}
      <PaymentSummary totals={totals} hasTips={tipsEnabled} />
      <AboveZeroNotice totals={totals} />
    </Card>
  );
}
