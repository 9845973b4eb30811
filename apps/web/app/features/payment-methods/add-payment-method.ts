import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { userStore } from '../../lib/session/user-store.ts';
import { idempotencyKey, keepsKey, renewIdempotencyKey } from '../payments/idempotency-key.ts';
import { addPaymentMethodMessage, PAYMENT_METHOD_ADDED } from './payment-method-messages.ts';

/** One press of the button, once the card is tokenized. */
export type CardToAdd = {
  userId: string;
  paymentKey: string;
  maskedCard: string;
  street: string;
  postalCode: string;
  /** Where to go after saving the card. */
  returnTo: string;
};

const DRAFT_NAME = 'card';

/** Saves a card. After a lost answer, trying the same card and address again doesn't save it twice. */
export async function addPaymentMethod(card: CardToAdd): Promise<ActionResult> {
  const { userId, paymentKey, maskedCard, street, postalCode, returnTo } = card;
  const draft = { maskedCard, street, postalCode };
  const store = userStore(userId);
  const answer = await callApi('addPaymentMethod', {
    body: { ...draft, paymentKey },
    headers: { 'Idempotency-Key': idempotencyKey(DRAFT_NAME, draft, store) },
  });
  if (answer.ok) {
    renewIdempotencyKey(DRAFT_NAME, store);
    return { success: true, message: '', goTo: { path: returnTo, state: { flash: PAYMENT_METHOD_ADDED } } };
  }
  const { problem } = answer;
  if (!keepsKey(problem)) renewIdempotencyKey(DRAFT_NAME, store);
  if (!isExpected(problem)) reportError('addPaymentMethod', problem);
  return {
    success: false,
    message: addPaymentMethodMessage(problem),
    fieldErrors: fieldErrors(problem),
  };
}
