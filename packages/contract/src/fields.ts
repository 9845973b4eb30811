import { type Cents, cents } from '@brightpane/money/cents';
import * as z from 'zod';
import { holdsCardNumber, isCardNumberOnly, phoneHoldsCardNumber } from './card-number.ts';
import { fromDollars } from './wire.ts';

/** The largest amount that a request may name: the card provider refuses more than 99,999 dollars. */
export const MAX_AMOUNT: Cents = cents(99_999_00);

/** Text as people write it: no NUL, which the database has no room for, and no halves of characters. */
const isReadable = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/** A card number is never ours to keep, wherever somebody writes it. */
const noCardNumber = (name: string, holdsOne = holdsCardNumber) =>
  [
    (value: string | undefined) => value === undefined || !holdsOne(value),
    {
      message: `Please take the card number out of your ${name}.`,
      params: { code: 'CardDataNotAllowed' },
    },
  ] as const;

/** Text that a person must give. The sentence names the field: `requiredText('first name', 100)`. */
export function requiredText(name: string, maxLength: number) {
  return identifier(name, maxLength).refine(...noCardNumber(name));
}

/** Text that no person has made up, such as an id: what looks like a card number in it is none. */
export function identifier(name: string, maxLength: number) {
  return z
    .string({ error: `Please enter your ${name}.` })
    .trim()
    .min(1, `Please enter your ${name}.`)
    .max(maxLength, `Please shorten your ${name} to ${maxLength} characters.`)
    .refine(isReadable, `Please check your ${name}.`);
}

/** A key or token that a program has made: refused only where all of it is a card number. */
export function secretKey(name: string, maxLength: number) {
  return identifier(name, maxLength).refine(...noCardNumber(name, isCardNumberOnly));
}

/** Text that a person may leave out; `null` and blanks count as left out. */
export function optionalText(name: string, maxLength: number) {
  return optional(name, maxLength)
    .refine(...noCardNumber(name))
    .optional();
}

/** A phone number that a person may leave out. */
export function optionalPhone() {
  const name = 'phone number';
  return optional(name, 40)
    .refine(...noCardNumber(name, phoneHoldsCardNumber))
    .optional();
}

function optional(name: string, maxLength: number) {
  return z.union(
    [
      z
        .string()
        .trim()
        .max(maxLength, `Please shorten your ${name} to ${maxLength} characters.`)
        .refine(isReadable, `Please check your ${name}.`)
        .transform((value) => (value === '' ? undefined : value)),
      z.null().transform(() => undefined),
    ],
    { error: (issue) => firstMessage(issue) ?? `Please check your ${name}.` },
  );
}

function firstMessage(issue: unknown): string | undefined {
  const nested = (issue as { errors?: { message: string }[][] }).errors;
  return nested?.flat().find((error) => error.message.startsWith('Please'))?.message;
}

/** A positive whole number, as a JSON number or as its digits. */
export function positiveInteger(message: string, max: number) {
  return z
    .union(
      [
        z.int(),
        z
          .string()
          .trim()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error: message },
    )
    .refine((value) => value > 0 && value <= max, message);
}

export const franchiseId = () => positiveInteger('Invalid franchise number', 999_999_999);
export const workOrderNumber = () => positiveInteger('Invalid work order number', 9_999_999_999);
export const zipCode = () => requiredText('zip code', 20);

/** Decimal dollars, as a JSON number or as digits, with at most two decimals; becomes cents. */
export function dollars(message: string, { min }: { min: number }) {
  return z.union([z.number(), z.string()], { error: message }).transform((value, context) => {
    const amount = fromDollars(value);
    if (amount === null || amount < min || Math.abs(amount) > MAX_AMOUNT) {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    return amount;
  });
}

/** A box on a form: a boolean, or the `"on"` that a form itself sends. */
export function checkbox() {
  return z.union([z.boolean(), z.literal('on').transform(() => true)], {
    error: 'Please check this box again.',
  });
}

const EMAIL = /^[^\s@<>,;:"\\()[\]\p{Cc}]+@[^\s@<>,;:"\\()[\]\p{Cc}]+\.[^\s@<>,;:"\\()[\]\p{Cc}.]+$/u;
const INVALID_EMAIL = 'Please enter a valid email address.';

export const email = () =>
  z
    .string({ error: 'Please enter your email address.' })
    .trim()
    .min(1, { error: 'Please enter your email address.', abort: true })
    .max(254, INVALID_EMAIL)
    .regex(EMAIL, INVALID_EMAIL)
    .refine(...noCardNumber('email address'));

/** An email address that a person may leave out; `null` and blanks count as left out. */
export const optionalEmail = () =>
  optionalText('email address', 254).refine(
    (value) => value === undefined || EMAIL.test(value),
    INVALID_EMAIL,
  );

/** Judged by the password policy, which has codes of its own; here only that it is text that can be read. */
export const newPassword = () =>
  z
    .string({ error: 'Please enter a password.' })
    .min(1, 'Please enter a password.')
    .max(1000, 'Please use at most 128 characters.')
    .refine(...noCardNumber('password'));
