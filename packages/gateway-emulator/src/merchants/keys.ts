import { randomInt } from 'node:crypto';

const LOWER_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MIXED = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${LOWER_AND_DIGITS}`;

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function newTransactionKey(): string {
  return `${randomText(1, LOWER_AND_DIGITS)}nf${randomText(12, LOWER_AND_DIGITS)}`;
}

export function newBatchKey(): string {
  return `ft${randomText(14, LOWER_AND_DIGITS)}`;
}

export function newTokenKey(): string {
  return Array.from({ length: 4 }, () => randomText(4, LOWER_AND_DIGITS)).join('-');
}

export function newPaymentKey(): string {
  return randomText(22, MIXED);
}

export function newCustomerKey(): string {
  return `d${randomText(15, LOWER_AND_DIGITS)}`;
}

export function newCustomerId(): string {
  return String(randomInt(10_000_000, 99_999_999));
}

export function newPaymentMethodKey(): string {
  return `an0${randomText(14, LOWER_AND_DIGITS)}`;
}

export function newAuthcode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}
