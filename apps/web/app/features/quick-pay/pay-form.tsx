import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { ZERO } from '@brightpane/money/cents';
import { invoiceTotals } from '@brightpane/money/invoice-totals';
import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { Card } from '@brightpane/ui/page/card.tsx';
import { type FormEvent, type ReactNode, startTransition, useEffect, useState } from 'react';
import { env } from '../../lib/env.ts';
import { CardField } from '../card-entry/card-field.tsx';
import { useCardEntry } from '../card-entry/use-card-entry.ts';
import { openAmounts } from '../invoices/open-amounts.ts';
import { LeavePayment } from '../payments/leave-payment.tsx';
import { PayBar } from '../payments/pay-bar.tsx';
import { NO_SERVICES, type ServicesDraft } from '../payments/payable/additional-services.tsx';
import type { AmountDraft } from '../payments/payable/amount-field.tsx';
import { LegalCheckbox } from '../payments/payable/terms/legal-checkbox.tsx';
import { type WorkToAccept, workOf } from '../payments/payable/terms/work-to-accept.ts';
import { CHARGED_ONCE, CORRECT_AMOUNTS } from '../payments/payment-messages.ts';
import { BillingForm } from './billing-form.tsx';
import { ConfirmAmountCard } from './confirm-amount-card.tsx';
import { readBilling } from './guest-draft.ts';
import type { GuestPayment } from './pay-as-guest.ts';

/**
 * Everything from an open invoice to its payment. A failure keeps what was typed: the parts hold it themselves,
 * and an answer never remounts them.
 */
export function PayForm({
  invoice,
  zipCode,
  isCharging,
  isPaid,
  isPaidEarlier,
  isInDoubt,
  errors,
  outcome,
  onPay,
}: {
  invoice: Invoice;
  /** The zip code that found the invoice. */
  zipCode: string;
  isCharging: boolean;
  /** The success page is on its way. */
  isPaid: boolean;
  /** The last attempt's answer tells of an earlier payment. */
  isPaidEarlier: boolean;
  /** The last attempt may have paid. */
  isInDoubt: boolean;
  errors: FieldErrors;
  /** The last attempt's outcome, shown beside the Pay button. */
  outcome: ReactNode;
  /** Resolves when the payment has ended. */
  onPay: (payment: GuestPayment) => Promise<void>;
}) {
  const [services, setServices] = useState<ServicesDraft>(NO_SERVICES);
  const [tip, setTip] = useState<AmountDraft>({ amountCents: ZERO });
  // The earlier payment has paid both, so they aren't added to what is still due.
  useEffect(() => {
    if (!isPaidEarlier) return;
    setServices(NO_SERVICES);
    setTip({ amountCents: ZERO });
  }, [isPaidEarlier]);
  const work = workOf([invoice]);
  const [acceptedFor, setAcceptedFor] = useState<WorkToAccept | null>(null);
  const legalAccepted = acceptedFor === work;
  const [sendReceipt, setSendReceipt] = useState(true);
  const [hasEmail, setHasEmail] = useState(false);
  const [isTokenizing, setIsTokenizing] = useState(false);
  /**
   * The previous outcome is stale once the next attempt begins, even if the frame refuses that card; unless it may have
   * paid, which the frame's refusal doesn't tell.
   */
  const [isOutcomeOld, setIsOutcomeOld] = useState(false);
  const card = useCardEntry(invoice.publicKey || env.defaultPublicKey || null);

  const tipCents = invoice.tipsEnabled ? tip.amountCents : ZERO;
  const totals = invoiceTotals({
    ...openAmounts(invoice),
    servicesCents: services.amountCents,
    tipCents,
  });
  const isSending = isTokenizing || isCharging;
  const isPaying = isSending || isPaid;
  const isPayable = !services.unclear && !tip.unclear && totals.totalBeforeTipCents > 0;
  const canPay = legalAccepted && card.state === 'ready' && isPayable;

  const { send, noteClick } = useSendOnce({ isPending: isPaying });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (canPay) send(event, () => pay(form));
  }

  async function pay(form: FormData) {
    setIsTokenizing(true);
    setIsOutcomeOld(true);
    const key = await card.tokenize();
    if (!key.ok) {
      setIsTokenizing(false);
      setIsOutcomeOld(!isInDoubt);
      return;
    }
    const paid = onPay({
      draft: {
        franchiseId: invoice.franchiseId,
        workOrderNumber: invoice.workOrderNumber,
        zipCode,
        services: { amountCents: services.amountCents, note: services.note },
        tipCents,
        billing: readBilling(form),
        sendReceipt,
        legalAccepted,
      },
      paymentKey: key.paymentKey,
      card: cardText(key),
      version: invoice.version,
      franchiseName: invoice.franchiseName,
    });
    // In one render with the router's change: otherwise the last outcome would show again in between and take the focus.
    startTransition(() => {
      setIsTokenizing(false);
      setIsOutcomeOld(false);
    });
    await paid;
  }

  return (
    <form className="pay-form" onClickCapture={noteClick} onSubmit={submit} aria-busy={isPaying}>
      <fieldset disabled={isPaying} className="pay-form-lock">
        <ConfirmAmountCard
          totals={totals}
          services={services}
          tip={tip}
          tipsEnabled={invoice.tipsEnabled}
          errors={errors}
          onServices={setServices}
          onTip={setTip}
        />
        <Card title="Billing details" className="billing">
          <BillingForm errors={errors} onEmail={(email) => setHasEmail(email.trim() !== '')} />
          <CardField
            card={card}
            isLocked={isCharging || isPaid}
            errors={isOutcomeOld ? [] : errors.paymentKey}
          />
          <div>
            <LegalCheckbox
              work={work}
              accepted={legalAccepted}
              onChange={(accepted) => setAcceptedFor(accepted ? work : null)}
              errors={errors.legalAccepted}
            />
            <Checkbox
              name="sendReceipt"
              label="Send me a receipt"
              checked={sendReceipt}
              onChange={(event) => setSendReceipt(event.target.checked)}
              help={sendReceipt && !hasEmail && 'Enter your email above to get one.'}
            />
          </div>
        </Card>
      </fieldset>
      {!isOutcomeOld && outcome}
      {isSending && <LeavePayment />}
      <PayBar
        totalCents={totals.totalCents}
        isPaying={isPaying}
        disabled={!canPay}
        note={isPayable ? CHARGED_ONCE : CORRECT_AMOUNTS}
        next="You will see a confirmation right away."
      />
    </form>
  );
}

function cardText({ cardType, maskedCard }: { cardType: string; maskedCard: string }): string {
  const lastDigits = maskedCard.slice(-4);
  return lastDigits === '' ? '' : `${cardType || 'Card'} ending in ${lastDigits}`;
}
