import type { Call, Plan } from '../call.ts';
import { brandOf, cardNumberError, expirationError } from '../cards/card-number.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Change } from '../ledger/ledger.ts';
import type { Card, PaymentMethod } from '../ledger/records.ts';
import { newTokenKey } from '../merchants/keys.ts';
import { listPlan } from '../transactions/list-view.ts';
import { refusal } from '../transactions/refusal.ts';
import { findCustomer } from './customers.ts';
import { newPaymentMethod, paymentMethodsOf } from './payment-method-record.ts';
import { paymentMethodView } from './payment-method-view.ts';

type FoundCard = { ok: true; card: Card } | { ok: false; errorcode: number };

/** An item's card: from its fields, or from a transaction. */
function cardOf(call: Call, item: Record<string, unknown>): FoundCard {
  if (item.pay_type === 'transaction') {
    const key = textOf(item.transaction_key);
    const transaction = call.ledger.transactionOf(call.merchant.name, key);
    return transaction ? { ok: true, card: transaction.card } : { ok: false, errorcode: 20001 };
  }
  if (item.pay_type !== 'cc' && item.pay_type !== undefined) return { ok: false, errorcode: 40458 };
  const number = textOf(item.number).replace(/[ -]/g, '');
  const expiration = textOf(item.expiration);
  const errorcode = cardNumberError(number) ?? expirationError(expiration, call.now);
  if (errorcode !== undefined) return { ok: false, errorcode };
  const card: Card = {
    number,
    expiration,
    cardholder: textOf(item.cardholder),
    avsStreet: textOf(item.avs_street),
    avsZip: textOf(item.avs_postalcode ?? item.avs_zip),
  };
  return { ok: true, card };
}

/** POST: one method, or an array of them. */
export function addPaymentMethods(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(404, 99999);
  const items = (call.items.length > 0 ? call.items : [call.body]) as Record<string, unknown>[];
  const methods: PaymentMethod[] = [];
  for (const item of items) {
    const found = cardOf(call, item);
    if (!found.ok) return refusal(400, found.errorcode);
    const method = newPaymentMethod(call, customer.key, found.card, item);
    const place = Number(method.sortord) + methods.length;
    methods.push(item.sortord === undefined ? { ...method, sortord: String(place) } : method);
  }
  return {
    status: 200,
    body: methods.map((method) => paymentMethodView(call, method)),
    changes: methods.map((put): Change => ({ table: 'paymentMethods', put })),
  };
}

function findMethod(call: Call): PaymentMethod | undefined {
  const customer = findCustomer(call);
  const method = call.ledger.get('paymentMethods', call.params.method ?? '');
  return customer && method?.customerKey === customer.key ? method : undefined;
}

/** GET of the list. */
export function listPaymentMethods(call: Call): Plan {
  const customer = findCustomer(call);
  if (!customer) return refusal(404, 99999);
  const methods = paymentMethodsOf(call, customer.key);
  return listPlan(methods, call.query, (method) => paymentMethodView(call, method));
}

/** GET of one method. */
export function getPaymentMethod(call: Call): Plan {
  const method = findMethod(call);
  if (!method) return refusal(404, 40453);
  return { status: 200, body: paymentMethodView(call, method), changes: [] };
}

/** PUT: name, expiry and address. */
export function updatePaymentMethod(call: Call): Plan {
  const method = findMethod(call);
  if (!method) return refusal(404, 40453);
  const { body } = call;
  const changed = (name: string, before: string): string =>
    body[name] === undefined ? before : textOf(body[name]);
  const updated: PaymentMethod = {
    ...method,
    methodName: changed('method_name', method.methodName),
    card: {
      ...method.card,
      expiration: changed('expires', method.card.expiration),
      avsStreet: changed('avs_street', method.card.avsStreet),
      avsZip: changed('avs_postalcode', method.card.avsZip),
    },
    updatedAt: call.now,
  };
  return {
    status: 200,
    body: paymentMethodView(call, updated),
    changes: [{ table: 'paymentMethods', put: updated }],
  };
}

/** DELETE of one method. */
export function deletePaymentMethod(call: Call): Plan {
  const method = findMethod(call);
  if (!method) return refusal(404, 40453);
  const changes: Change[] = [{ table: 'paymentMethods', remove: method.key }];
  return { status: 200, body: { status: 'success' }, changes };
}

/** DELETE of several methods. */
export function deletePaymentMethods(call: Call): Plan {
  const keys = Array.isArray(call.body.keys) ? call.body.keys.map(textOf) : [];
  const found = keys.map((method) => findMethod({ ...call, params: { ...call.params, method } }));
  const changes = found.flatMap((method): Change[] =>
    method ? [{ table: 'paymentMethods', remove: method.key }] : [],
  );
  return { status: 200, body: { status: 'success' }, changes };
}

/** GET /cardref: a token for the method's card. */
export function getCardReference(call: Call): Plan {
  const method = findMethod(call);
  if (!method) return refusal(404, 40453);
  const { number, expiration } = method.card;
  const token = { key: newTokenKey(), number, expiration };
  const body = {
    type: 'token',
    cardref: token.key,
    expires: expiration,
    ccnumlast4: number.slice(-4),
    cardtype: brandOf(number)?.digits ?? '00',
    custkey: method.customerKey,
    pmkey: method.key,
  };
  return { status: 200, body, changes: [{ table: 'tokens', put: token }] };
}
