import * as z from 'zod';
import { holdsCardNumber, isCardNumberOnly, phoneHoldsCardNumber } from './card-number.ts';
import { shortenWords } from './shorten-words.ts';
import { fromDollars, MAX_AMOUNT } from './wire.ts';

/** No NUL, which Postgres can't store, and no lone surrogates. */
const isReadable = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/** Text that is too long gets no further check: some take long for long texts. */
export const atMost = (max: number, error: string) => [max, { error, abort: true }] as const;

/** We must never store a card number, whichever field it was typed into. */
const noCardNumber = (name: string, holdsOne = holdsCardNumber) =>
  [
    (value: string | undefined) => value === undefined || !holdsOne(value),
    {
      message: `Please take the card number out of your ${name}.`,
      params: { code: 'CardDataNotAllowed' },
    },
  ] as const;

/** Required text. The message names the field: `requiredText('first name', 100)`. */
export function requiredText(name: string, maxLength: number) {
  return identifier(name, maxLength).refine(...noCardNumber(name));
}

/** Text made by a program, such as an id, so digits in it are never a card number. */
export function identifier(name: string, maxLength: number) {
  return z
    .string({ error: `Please enter your ${name}.` })
    .trim()
    .min(1, `Please enter your ${name}.`)
    .max(...atMost(maxLength, shortenWords(name, maxLength)))
    .refine(isReadable, `Please check your ${name}.`);
}

/** A key or token made by a program: refused only if the whole of it is a card number. */
export function secretKey(name: string, maxLength: number) {
  return identifier(name, maxLength).refine(...noCardNumber(name, isCardNumberOnly));
}

/** Optional text; `null` and blanks count as missing. */
export function optionalText(name: string, maxLength: number, text = z.string()) {
  return optional(name, maxLength, text)
    .refine(...noCardNumber(name))
    .optional();
}

/** An optional phone number. */
export function optionalPhone() {
  const name = 'phone number';
  return optional(name, 40)
    .refine(...noCardNumber(name, phoneHoldsCardNumber))
    .optional();
}

function optional(name: string, maxLength: number, text = z.string()) {
  return z.union(
    [
      text
        .trim()
        .max(...atMost(maxLength, shortenWords(name, maxLength)))
        .refine(isReadable, `Please check your ${name}.`)
        .transform((value) => (value === '' ? undefined : value)),
      z.null().transform(() => undefined),
    ],
    { error: (issue) => firstMessage(issue) ?? `Please check your ${name}.` },
  );
}

/** The message of a check of the text; a wrong type names no check. */
function firstMessage(issue: unknown): string | undefined {
  const nested = (issue as { errors?: { code: string; message: string }[][] }).errors;
  return nested?.flat().find((error) => error.code !== 'invalid_type')?.message;
}

/** A positive whole number, as a JSON number or as its digits. */
export function positiveInteger(message: string, max: number) {
  return z
    .union(
      [
        z.int(message),
        z
          .string()
          .trim()
          .regex(/^\d{1,15}$/, message)
          .transform(Number),
      ],
      { error: message },
    )
    .refine((value) => value > 0 && value <= max, message);
}

export const franchiseId = () => positiveInteger('Invalid franchise number', 999_999_999);
export const workOrderNumber = () => positiveInteger('Invalid work order number', 9_999_999_999);
export const zipCode = () => requiredText('zip code', 20);

/** Decimal dollars, as a JSON number or a string, with at most two decimals; becomes cents. */
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

/** A checkbox: a boolean, or the `"on"` that an HTML form sends. */
export function checkbox() {
  return z.union([z.boolean(), z.literal('on').transform(() => true)], {
    error: 'Please check this box again.',
  });
}

const EMAIL = /^[^\s@<>,;:"\\()[\]\p{Cc}]+@[^\s@<>,;:"\\()[\]\p{Cc}/?#%]+\.[^\s@<>,;:"\\()[\]\p{Cc}/?#%.]+$/u;
const INVALID_EMAIL = 'Please enter a valid email address.';

/**
 * An address as people see it: phones copy one out of their contacts between marks of direction, and mail to an address
 * with such marks arrives nowhere.
 */
export const emailText = (error?: string) =>
  z.string(error).overwrite((address) => address.replace(/\p{Cf}/gu, ''));

export const email = () =>
  emailText('Please enter your email address.')
    .trim()
    .min(1, { error: 'Please enter your email address.', abort: true })
    .max(...atMost(254, INVALID_EMAIL))
    .regex(EMAIL, INVALID_EMAIL)
    .refine(...noCardNumber('email address'));

/** An optional email address; `null` and blanks count as missing. */
export const optionalEmail = () =>
  optionalText('email address', 254, emailText()).refine(
    (value) => value === undefined || EMAIL.test(value),
    INVALID_EMAIL,
  );

/** Checked only for readable text; the password policy judges it, with error codes of its own. */
export const newPassword = () =>
  z
    .string({ error: 'Please enter a password.' })
    .min(1, 'Please enter a password.')
    .max(...atMost(1000, 'Please use at most 128 characters.'))
    .refine(...noCardNumber('password'));
