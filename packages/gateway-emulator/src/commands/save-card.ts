import type { Call, Plan } from '../call.ts';
import { maskedNumber } from '../cards/card-number.ts';
import { resolveCard } from '../cards/resolve-card.ts';
import { avsVerification, cvcVerification } from '../cards/verification-texts.ts';
import { newTokenKey } from '../merchants/keys.ts';
import { transactionError } from '../transactions/refusal.ts';
import { savedCardView } from './charge-card.ts';

/** Makes a token for a card without a transaction. Payment keys aren't accepted here. */
export function saveCard(call: Call): Plan {
  if (call.body.payment_key !== undefined) return transactionError(11);
  const resolved = resolveCard(call);
  if (!resolved.ok) return transactionError(resolved.errorCode, resolved.error);
  const token = { key: newTokenKey(), number: resolved.card.number, expiration: resolved.card.expiration };
  const body = {
    type: 'transaction',
    key: '',
    refnum: '',
    is_duplicate: 'N',
    result_code: 'A',
    result: 'Approved',
    authcode: '',
    creditcard: { number: maskedNumber(resolved.card.number), cardholder: resolved.card.cardholder },
    avs: avsVerification('   '),
    cvc: cvcVerification(resolved.cvc),
    savedcard: savedCardView(token),
  };
  return { status: 200, body, changes: [{ table: 'tokens', put: token }] };
}
