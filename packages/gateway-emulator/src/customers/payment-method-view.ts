import type { Call } from '../call.ts';
import { brandOf } from '../cards/card-number.ts';
import type { PaymentMethod } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';

/** As the live API shows it: `expires` as MMYY, and the brand as a word. */
export function paymentMethodView(call: Call, method: PaymentMethod): Record<string, unknown> {
  const { card } = method;
  return {
    key: method.key,
    type: 'customerpaymentmethod',
    method_name: method.methodName,
    expires: card.expiration,
    cardholder: card.cardholder,
    card_type: brandOf(card.number)?.word ?? 'Visa',
    ccnum4last: card.number.slice(-4),
    avs_street: card.avsStreet,
    avs_postalcode: card.avsZip,
    sortord: method.sortord,
    added: merchantTime(method.addedAt, call.switches.timeZone),
    updated: merchantTime(method.updatedAt, call.switches.timeZone),
    pay_type: 'cc',
  };
}
