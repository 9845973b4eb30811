import { useSendOnce } from '@brightpane/ui/forms/use-send-once';
import type { Dispatch, FormEvent, ReactNode } from 'react';
import type { FetcherWithComponents } from 'react-router';
import { hasPersonGone } from '../../lib/session/pages-person.ts';
import { keepEnterFromPaying } from './keep-enter-from-paying.ts';
import { LeavePayment } from './leave-payment.tsx';
import { PayBar } from './pay-bar.tsx';
import { type DraftResult, portalSaleBody, type SubmittedDraft } from './pay-invoices.ts';
import type { Payable } from './payable/payable.ts';
import { PayableInvoiceList } from './payable/payable-invoice-list.tsx';
import { workOf } from './payable/terms/work-to-accept.ts';
import { type DraftChange, type PaymentDraft, selectedOf } from './payment-draft.ts';
import { CHARGED_ONCE, CORRECT_AMOUNTS } from './payment-messages.ts';
import { PaymentPanel } from './payment-panel.tsx';

/** Everything from unpaid invoices to their payment. Its form posts the intent `pay-invoices` to its own page. */
export function PaymentForm({
  payment: fetcher,
  outcome,
  payerId,
  payables,
  draft,
  change,
  paymentMethodId,
  cardChoice,
  asksLegal,
  showsAddress,
}: {
  /** On the page, which shows the outcome if this form is gone. */
  payment: FetcherWithComponents<DraftResult | undefined>;
  outcome: ReactNode;
  payerId: string;
  payables: readonly Payable[];
  draft: PaymentDraft;
  change: Dispatch<DraftChange>;
  paymentMethodId: string | null;
  cardChoice: ReactNode;
  /** False if the terms were accepted earlier; the payment then sends them as accepted. */
  asksLegal: boolean;
  showsAddress: boolean;
}) {
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  const { payables: selected, totals, isPayable } = selectedOf(draft, payables);
  // From the whole list, so that the words don't change while invoices are selected.
  const work = workOf(payables.map(({ invoice }) => invoice));
  const legalAccepted = draft.termsAcceptedFor === work || !asksLegal;
  const canPay = isPayable && paymentMethodId !== null && legalAccepted;
  const isSending = fetcher.state !== 'idle';
  const isPaying = isSending || result?.success === true;

  const { send, noteClick } = useSendOnce({ isPending: isPaying });

  function pay(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!canPay) return;
    const payment: SubmittedDraft = {
      userId: payerId,
      body: portalSaleBody(draft, selected, { paymentMethodId, legalAccepted }),
      keys: selected.map(({ key }) => key),
      paidTo: [...new Set(selected.map(({ invoice }) => invoice.franchiseName))],
    };
    const fields = { intent: 'pay-invoices', payment: JSON.stringify(payment) };
    send(event, () => fetcher.submit(fields, { method: 'post' }));
  }

  return (
    <form
      className="payment-form"
      onClickCapture={noteClick}
      onSubmit={pay}
      // In a list Enter may also be meant for a checkbox, and would pay all that is selected.
      onKeyDown={keepEnterFromPaying}
      aria-busy={isPaying}
    >
      <fieldset disabled={isPaying} className="payment-form-lock">
        <PayableInvoiceList
          payables={payables}
          selected={selected}
          draft={draft}
          errors={result?.fieldErrors ?? NO_ERRORS}
          showsAddress={showsAddress}
          change={change}
        />
        <PaymentPanel
          selected={selected}
          totals={totals}
          draft={draft}
          cardChoice={cardChoice}
          work={asksLegal ? work : null}
          change={change}
        />
      </fieldset>
      {outcome}
      {isSending && <LeavePayment mayLeave={hasPersonGone} />}
      <PayBar
        totalCents={totals.totalCents}
        isPaying={isPaying}
        disabled={!canPay}
        note={chargeNote(selected, isPayable)}
        next="Paid invoices leave this list right away."
      />
    </form>
  );
}

/** A payment makes one charge on each merchant account, which the client key identifies. */
function chargeNote(selected: readonly Payable[], isPayable: boolean): string {
  if (selected.length === 0) return 'Select the invoices to pay.';
  if (!isPayable) return CORRECT_AMOUNTS;
  const charges = new Set(selected.map(({ invoice }) => invoice.publicKey)).size;
  return charges > 1 ? `Your card is charged in ${charges} parts that add up to this amount.` : CHARGED_ONCE;
}

const NO_ERRORS = {};
