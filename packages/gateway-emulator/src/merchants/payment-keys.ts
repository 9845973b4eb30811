import type { Call, Plan } from '../call.ts';
import { brandOf, cardNumberError, expirationError, maskedNumberOfPaymentKey } from '../cards/card-number.ts';
import { textOf } from '../cards/resolve-card.ts';
import { cvcResultOf } from '../cards/test-cards.ts';
import type { PaymentKey } from '../ledger/records.ts';
import { refusal } from '../transactions/refusal.ts';
import { newPaymentKey } from './keys.ts';

/** POST /pub/payment_keys: turns a card into a key for a single charge. */
export function mintPaymentKey(call: Call): Plan {
  const card = (call.body.creditcard ?? {}) as Record<string, unknown>;
  const number = textOf(card.number).replace(/[ -]/g, '');
  const expiration = textOf(card.expiration).replace(/[ /]/g, '');
  const errorCode = cardNumberError(number) ?? expirationError(expiration, call.now);
  if (errorCode !== undefined) return refusal(400, errorCode);
  const paymentKey: PaymentKey = {
    key: newPaymentKey(),
    merchant: call.merchant.name,
    number,
    expiration,
    cvc: cvcResultOf(number, textOf(card.cvc)),
    mintedAt: call.now,
    used: false,
  };
  const body = {
    type: 'payment_key',
    key: paymentKey.key,
    creditcard: { number: maskedNumberOfPaymentKey(number), cardtype: brandOf(number)?.word },
  };
  return { status: 200, body, changes: [{ table: 'paymentKeys', put: paymentKey }] };
}

/** GET /publickey: a bare JSON string. */
export function getPublicKey(call: Call): Plan {
  return { status: 200, body: call.merchant.publicKey, changes: [] };
}
