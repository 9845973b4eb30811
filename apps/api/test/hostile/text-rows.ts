import type { CallName } from './calls.ts';
import { type BadInput, fields, MARK } from './spoil.ts';

/** Values that aren't a valid name, street or note, each with its reason. */
const NO_TEXT: readonly (readonly [what: string, value: unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['a list', [`${MARK}`]],
  ['an object', { toString: MARK }],
  ['empty', ''],
  ['blank', ' \t\n '],
  ['too long', MARK.repeat(1000)],
  ['with a NUL', `${MARK}\u0000`],
  ['half a character', `${MARK}\ud800`],
  ['a card number', '4111 1111 1111 1111'],
];

const REQUIRED_TEXTS: readonly (readonly [CallName, string])[] = [
  ['register', 'firstName'],
  ['register', 'lastName'],
  ['registerWithOffer', 'firstName'],
  ['registerWithOffer', 'lastName'],
  ['updateAccount', 'firstName'],
  ['updateAccount', 'lastName'],
  ['acceptInvite', 'firstName'],
  ['acceptInvite', 'lastName'],
  ['guestSale', 'firstName'],
  ['guestSale', 'lastName'],
  ['guestSale', 'address'],
  ['guestSale', 'city'],
  ['guestSale', 'state'],
  ['guestSale', 'postalCode'],
  ['guestSale', 'paymentKey'],
  ['addPaymentMethod', 'paymentKey'],
  ['addPaymentMethod', 'maskedCard'],
  ['addPaymentMethod', 'street'],
  ['addPaymentMethod', 'postalCode'],
  ['searchInvoice', 'zipCode'],
  ['addLocation', 'zipCode'],
];

const NO_EMAIL: readonly (readonly [what: string, value: unknown])[] = [
  ['a number', 7],
  ['a list', ['ana@example.com']],
  ['an object', { $ne: MARK }],
  ['without an at sign', `${MARK}.example.com`],
  ['with two at signs', `${MARK}@example@example.com`],
  ['without a dot', `${MARK}@localhost`],
  ['with a second recipient', `${MARK}@example.com,eve@example.com`],
  ['with a line break and a header', `${MARK}@example.com\r\nBcc: eve@example.com`],
  ['with a name', `"${MARK}" <ana@example.com>`],
  ['with a NUL', `${MARK}\u0000@example.com`],
  ['too long', `${MARK.repeat(100)}@example.com`],
  ['a card number', '4111111111111111@example.com'],
];

const EMAIL_CALLS = [
  'register',
  'confirm',
  'resendEmailConfirmation',
  'confirmResetPassword',
  'changeEmail',
  'registerWithOffer',
  'confirmEmailChange',
  'undoEmailChange',
  'acceptInvite',
  'guestSale',
  'invite',
] as const satisfies readonly CallName[];

const OPTIONAL_TEXTS: readonly (readonly [CallName, string])[] = [
  ['guestSale', 'address2'],
  ['guestSale', 'zipCode'],
  ['guestSale', 'phone'],
  ['guestSale', 'additionalServicesNote'],
  ['franchise', 'phone'],
  ['franchise', 'address'],
];

const isLeftOut = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Each of them in every text field of every call. */
export const TEXT_ROWS: readonly BadInput[] = [
  ...REQUIRED_TEXTS.flatMap(([call, field]) =>
    NO_TEXT.map(([what, value]) => [`${field} ${what}`, call, fields({ [field]: value }), 400] as const),
  ),
  ...OPTIONAL_TEXTS.flatMap(([call, field]) =>
    NO_TEXT.filter(([, value]) => !isLeftOut(value)).map(
      ([what, value]) => [`${field} ${what}`, call, fields({ [field]: value }), 400] as const,
    ),
  ),
  ...EMAIL_CALLS.flatMap((call) =>
    NO_EMAIL.map(([what, value]) => [`email ${what}`, call, fields({ email: value }), 400] as const),
  ),
];
