import type { Call } from '../call.ts';
import { errorText } from '../error-codes.ts';
import type { Card, PaymentKey } from '../ledger/records.ts';
import { cardNumberError, expirationError } from './card-number.ts';
import { cvcResultOf } from './test-cards.ts';

export type ResolvedCard =
  | { ok: true; card: Card; cvc: string; usedKey?: PaymentKey }
  | { ok: false; errorCode: number; error: string };

function failed(errorCode: number, error = errorText(errorCode)): ResolvedCard {
  return { ok: false, errorCode, error };
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Tokens work with or without their dashes. */
function tokenKey(text: string): string | undefined {
  const plain = text.replaceAll('-', '').toLowerCase();
  if (!/^(?=.*[a-z])[a-z0-9]{16}$/.test(plain)) return undefined;
  return plain.replace(/(.{4})(?=.)/g, '$1-');
}

function fromPaymentKey(call: Call, key: string): ResolvedCard {
  const found = call.ledger.get('paymentKeys', key);
  const lifetime = call.switches.paymentKeyMinutes * 60_000;
  const isGood =
    found !== undefined &&
    found.merchant === call.merchant.name &&
    !found.used &&
    call.now < found.mintedAt + lifetime;
  if (!isGood) return failed(call.switches.paymentKeyErrorCode, 'Invalid payment key');
  const billing = objectOf(call.body.billing_address);
  const billingName = [textOf(billing.firstname), textOf(billing.lastname)].join(' ').trim();
  // With a customer key, the sent cardholder is ignored.
  const holder = call.body.custkey === undefined ? textOf(objectOf(call.body.creditcard).cardholder) : '';
  const card: Card = {
    number: found.number,
    expiration: found.expiration,
    cardholder: holder || billingName,
    avsStreet: textOf(billing.street),
    avsZip: textOf(billing.postalcode),
  };
  return { ok: true, card, cvc: found.cvc, usedKey: found };
}

function fromCreditCard(call: Call, sent: Record<string, unknown>): ResolvedCard {
  const number = textOf(sent.number).replaceAll(' ', '');
  const holder = {
    cardholder: textOf(sent.cardholder),
    avsStreet: textOf(sent.avs_street),
    avsZip: textOf(sent.avs_zip ?? sent.avs_postalcode),
  };
  const token = tokenKey(number);
  if (token !== undefined) {
    const stored = call.ledger.get('tokens', token);
    if (!stored) return failed(601);
    return { ok: true, card: { ...holder, number: stored.number, expiration: stored.expiration }, cvc: 'P' };
  }
  const digits = number.replaceAll('-', '');
  const expiration = textOf(sent.expiration);
  const errorCode = cardNumberError(digits) ?? expirationError(expiration, call.now);
  if (errorCode !== undefined) return failed(errorCode);
  return {
    ok: true,
    card: { ...holder, number: digits, expiration },
    cvc: cvcResultOf(digits, textOf(sent.cvc)),
  };
}

/** The card of a charge: from a payment key, a token or the card's own fields. */
export function resolveCard(call: Call): ResolvedCard {
  const paymentKey = textOf(call.body.payment_key);
  if (paymentKey !== '') return fromPaymentKey(call, paymentKey);
  if (call.body.creditcard === undefined) return failed(11);
  return fromCreditCard(call, objectOf(call.body.creditcard));
}
