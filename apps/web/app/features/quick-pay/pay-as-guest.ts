import type { GuestSaleAnswer } from '@brightpane/contract/invoices/payments';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { type GuestOffer, keepPaidState } from '../../lib/session/paid-state.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { idempotencyKey, keepsKey, renewIdempotencyKey } from '../payments/idempotency-key.ts';
import { termsShown } from '../payments/payable/terms/terms-shown.ts';
import { tellsOfEarlier } from '../payments/payment-messages.ts';
import { BILLING_FORM_NAMES, type GuestDraft, guestSaleBody } from './guest-draft.ts';
import { guestPaymentMessage } from './guest-payment-message.ts';
import type { GuestReceipt } from './guest-receipt.ts';

/** One press of Pay, once the card is tokenized. */
export type GuestPayment = {
  draft: GuestDraft;
  paymentKey: string;
  card: string;
  /** The invoice's version that the payer saw, so that nobody pays an amount they didn't see. */
  version: number;
  franchiseName: string;
};

export type GuestPaymentResult = ActionResult & {
  /** The invoice may have changed since it was loaded, so look it up again. */
  isInvoiceStale: boolean;
  /** The answer tells of an earlier payment, which paid what was added to the invoice. */
  isPaidEarlier?: boolean;
  /** The payment may have happened, or still may: pressing Pay again finds out. */
  isInDoubt?: boolean;
};

export async function payAsGuest(payment: GuestPayment): Promise<GuestPaymentResult> {
  const { draft, paymentKey, version, card, franchiseName } = payment;
  const { franchiseId, workOrderNumber } = draft;
  const draftName = `${franchiseId}-${workOrderNumber}`;
  const body = guestSaleBody(draft);
  const answer = await callApi<GuestSaleAnswer>('guestSale', {
    body: { ...body, zipCode: draft.zipCode, paymentKey },
    headers: {
      'Idempotency-Key': idempotencyKey(draftName, body),
      'If-Match': `"${version}"`,
      ...termsShown(),
    },
  });

  if (answer.ok) {
    renewIdempotencyKey(draftName);
    const receipt: GuestReceipt = {
      amountCents: centsOf(answer.data.amount),
      reference: answer.data.reference,
      franchiseName,
      workOrderNumber,
      receiptEmail: draft.sendReceipt && draft.billing.email ? draft.billing.email : null,
      card,
    };
    const { firstName, lastName, email } = draft.billing;
    const { offer: token } = answer.data;
    const offer: GuestOffer | null = token ? { token, payer: { firstName, lastName, email } } : null;
    // Before the page opens: its guard admits people who have signed in meanwhile only with what is kept.
    const state = keepPaidState({ receipt, ...(offer && { offer }) });
    const goTo = { path: '/guest-payment/success', state };
    return { success: true, message: '', goTo, isInvoiceStale: false };
  }

  const { problem } = answer;
  if (!keepsKey(problem)) renewIdempotencyKey(draftName);
  if (!isExpected(problem)) reportError('guestSale', problem);
  return {
    success: false,
    message: guestPaymentMessage(problem),
    fieldErrors: fieldErrors(problem, BILLING_FORM_NAMES),
    isInvoiceStale: [400, 404, 409, 422].includes(problem.status),
    isPaidEarlier: tellsOfEarlier(problem),
    isInDoubt: keepsKey(problem),
  };
}
