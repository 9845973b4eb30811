import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type { Content } from './api-description.ts';

/** What no schema says about a call. */
export type CallNote = {
  summary: string;
  /** Everybody may call it, without any key. */
  isOpen?: true;
  /** The refusals of this call's own, beside those that every call may answer. */
  refusals?: number[];
  /** Where the answer, or the body, is not what the route's schema says: by content type. */
  answer?: Content;
  alsoAnswers?: Record<number, string>;
  body?: Content;
  headers?: 'card' | 'payment' | 'payment of one invoice';
  /** Where the route reads its query by itself. */
  query?: string[];
  /** What it is about, where its address does not begin with that. */
  group?: string;
};

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } };
const BYTES = { schema: { type: 'string', format: 'binary' } };
const IMPORT_ROW = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    INVOICE_COLUMNS.map((column) => [
      column,
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    ]),
  ),
  required: INVOICE_COLUMNS.filter((column) => column !== 'paidElsewhere'),
};

/** A row for each call: one without a row fails a test. */
export const CALL_NOTES: Record<string, CallNote> = {
  'GET /openapi.json': {
    summary: 'This description',
    isOpen: true,
    group: 'description',
    answer: JSON_OBJECT,
  },
  'GET /docs': {
    summary: 'This description, as a page to read',
    isOpen: true,
    group: 'description',
    answer: { 'text/html': { schema: { type: 'string' } } },
  },
  'GET /health/live': { summary: 'Whether the process runs', isOpen: true, answer: JSON_OBJECT },
  'GET /health/ready': { summary: 'Whether the process can serve', isOpen: true, answer: JSON_OBJECT },
  'POST /browser-reports': {
    summary: 'What a browser reports that the content policy stopped',
    isOpen: true,
    body: {
      'application/csp-report': { schema: { type: 'object' } },
      'application/reports+json': { schema: { type: 'array', items: { type: 'object' } } },
    },
  },
  'GET /documents/{file}': {
    summary: 'An invoice as PDF or PNG, by the signed link that an invoice carries',
    isOpen: true,
    answer: { 'application/pdf': BYTES, 'image/png': BYTES },
    alsoAnswers: { 304: 'What the browser has is still good' },
    query: ['expires', 'signature'],
    refusals: [403, 404],
  },
  'POST /authentication/login': { summary: 'Sign in with email and password', refusals: [429] },
  'POST /authentication/refresh': { summary: 'Get new tokens for a refresh token' },
  'POST /authentication/logout': { summary: 'End the session of a refresh token' },
  'POST /user/register': { summary: 'Make an account; a mail confirms its address', refusals: [429] },
  'POST /user/confirm': { summary: 'Confirm an email address with the token of a mail', refusals: [429] },
  'POST /user/resendemailconfirmation': {
    summary: 'Send the confirmation mail again; answers alike for every address',
    refusals: [429],
  },
  'GET /user': { summary: 'Who is signed in' },
  'POST /user/resetpassword': {
    summary: 'Send a mail to choose a new password; answers alike for every address',
    refusals: [429],
  },
  'POST /user/confirmresetpassword': {
    summary: 'Set a new password with the token of a mail; ends every session',
    refusals: [429],
  },
  'GET /user/invitations': { summary: 'The invitations that wait for this email address' },
  'POST /user/invitations': { summary: 'Accept all of them' },
  'POST /user/acceptinvite': {
    summary: 'Make an account with the token of an invitation’s mail',
    refusals: [429],
  },
  'POST /user/invoice/search': {
    summary: 'Find one invoice by the three numbers printed on it',
    refusals: [404, 429],
  },
  'GET /user/invoice': { summary: 'Every unpaid invoice of the customer' },
  'GET /user/location': { summary: 'The customer’s locations' },
  'POST /user/location': {
    summary: 'Add a location by the three numbers of one of its invoices',
    refusals: [404, 429],
  },
  'DELETE /user/location/{locationId}': { summary: 'Remove a location', refusals: [404] },
  'GET /user/location/{locationId}/history': { summary: 'A location’s paid invoices', refusals: [404] },
  'POST /usaepay/guestsale': {
    summary: 'Pay one invoice without an account',
    refusals: [404, 409, 422, 429],
    headers: 'payment of one invoice',
  },
  'POST /usaepay/customerportalsale': {
    summary: 'Pay several invoices with a saved card',
    refusals: [404, 409, 422],
    headers: 'payment',
  },
  'GET /usaepay/portal/paymentmethods': { summary: 'The customer’s saved cards' },
  'POST /usaepay/portal/paymentmethods': {
    summary: 'Save a card, by the payment key that the card provider’s frame handed over',
    refusals: [409, 422, 429],
    answer: JSON_OBJECT,
    headers: 'card',
  },
  'DELETE /usaepay/portal/paymentmethods/{id}': { summary: 'Forget a card', refusals: [404] },
  'POST /office/session': {
    summary: 'Sign in to the console: email and password, then a second factor',
    isOpen: true,
    refusals: [401, 403, 429],
  },
  'POST /office/session/totp': { summary: 'Show the code of an app', refusals: [403, 429] },
  'POST /office/session/recovery': {
    summary: 'Show a recovery code, which is used by it',
    refusals: [403, 429],
  },
  'POST /office/session/resume': { summary: 'Go on after a while away', refusals: [403, 429] },
  'DELETE /office/session': { summary: 'Sign out', isOpen: true, refusals: [403] },
  'GET /office/me': { summary: 'Who is signed in, what she may, and where', refusals: [403] },
  'POST /office/step-up/totp': {
    summary: 'Show the code of an app for one act, which then carries the answer as X-Step-Up',
    refusals: [403, 429],
  },
  'POST /office/welcome': {
    summary: 'Choose a name and a password with the link of an invitation to the staff',
    isOpen: true,
    refusals: [403, 429],
  },
  'POST /office/session/reset': {
    summary: 'Send staff a mail to choose a new password; answers alike for every address',
    isOpen: true,
    refusals: [403, 429],
  },
  'POST /office/session/reset/confirm': {
    summary: 'Choose a new password with the link of a mail',
    isOpen: true,
    refusals: [403, 429],
  },
  'POST /office/factors/totp': {
    summary: 'Begin to add an authenticator app: its secret, once',
    refusals: [403, 409, 422],
  },
  'POST /office/factors/totp/confirm': {
    summary: 'Show the first code of an app; the first factor signs in',
    refusals: [403, 404, 429],
  },
  'PUT /office/factors/{factorId}': { summary: 'Rename one of one’s own factors', refusals: [403, 404] },
  'DELETE /office/factors/{factorId}': {
    summary: 'Remove one of one’s own factors, never the last',
    refusals: [403, 404, 409],
  },
  'POST /office/recovery-codes': {
    summary: 'Ten new recovery codes in place of all older ones, once',
    refusals: [403, 409, 422],
  },
  'GET /office/account': { summary: 'One’s own factors and sessions', refusals: [403] },
  'PUT /office/account': { summary: 'Change what the console does for oneself', refusals: [403] },
  'PUT /office/account/password': { summary: 'A new password, which signs out everywhere', refusals: [403] },
  'DELETE /office/account/sessions/{sessionId}': {
    summary: 'Sign another device out, or all others',
    refusals: [403, 404],
  },
  'GET /office/staff': { summary: 'Who works here, of those whom the caller sees', refusals: [403] },
  'POST /office/staff': {
    summary:
      'Give somebody access; a mail has the link. Again for whoever has not come in yet, it renews the link',
    refusals: [403, 404, 409, 422, 429],
  },
  'PUT /office/staff/{staffId}': {
    summary: 'Change somebody’s role or franchises, or switch her off and on; it signs her out',
    refusals: [403, 404, 409],
  },
  'POST /office/staff/{staffId}/link': {
    summary: 'Send a new link to somebody without a second factor',
    refusals: [403, 404, 409, 422, 429],
  },
  'DELETE /office/staff/{staffId}/factors': {
    summary: 'Remove all of somebody’s second factors and recovery codes',
    refusals: [403, 404, 409],
  },
  'POST /office/staff/confirm': {
    summary: 'After a restore: let people and keys in again, under a key alone',
    refusals: [403],
  },
  'GET /office/api-keys': { summary: 'The keys of offices’ programs', refusals: [403] },
  'POST /office/api-keys': { summary: 'Make a key, shown once', refusals: [403, 404, 409, 422] },
  'DELETE /office/api-keys/{apiKeyId}': { summary: 'Take a key away', refusals: [403, 404, 409] },
  'POST /office/session/passkey/options': {
    summary: 'What to ask a passkey with, to sign in',
    isOpen: true,
    refusals: [403, 429],
  },
  'POST /office/session/passkey': {
    summary: 'Sign in with a passkey, after a password or without',
    isOpen: true,
    refusals: [401, 403],
  },
  'POST /office/step-up/passkey/options': {
    summary: 'What to ask a passkey with, for one act',
    refusals: [403, 429],
  },
  'POST /office/step-up/passkey': {
    summary: 'Show a passkey for one act, which then carries the answer as X-Step-Up',
    refusals: [403],
  },
  'POST /office/factors/passkey/options': { summary: 'What to make a passkey with', refusals: [403, 429] },
  'POST /office/factors/passkey': {
    summary: 'Add a passkey; the first factor signs in',
    refusals: [403],
  },
  'POST /office/import': {
    summary: 'Send invoices in: all of a file or nothing of it, as often as one likes',
    body: {
      'text/csv': { schema: { type: 'string', description: `A header line: ${INVOICE_COLUMNS.join(',')}` } },
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: { rows: { type: 'array', items: IMPORT_ROW } },
          required: ['rows'],
        },
      },
    },
  },
  'POST /office/invitations': { summary: 'Invite a customer by mail', refusals: [404] },
  'PUT /office/franchises/{franchiseId}': { summary: 'Change a franchise’s settings', refusals: [404] },
  'PUT /office/users/{email}': { summary: 'Switch an account off, or on again', refusals: [404] },
  'GET /office/status': { summary: 'What is unfinished, and what waits for a person' },
  'GET /office/review': { summary: 'The charges that need a person' },
  'POST /office/review/{chargeId}/{decision}': {
    summary: 'Decide about a charge that needs a person',
    refusals: [404, 409],
  },
  'POST /office/reconcile': { summary: 'Compare our books with the card provider’s' },
  'POST /office/restored': { summary: 'Say that the database was put back to an earlier moment' },
  'GET /office/found-payments': { summary: 'Payments that the provider knows and our books do not' },
  'POST /office/found-payments/{orderId}/settle': {
    summary: 'Say that one is taken care of',
    refusals: [404],
  },
  'GET /office/credits': { summary: 'Credits that no mail told of and nobody has looked at' },
  'POST /office/credits/{creditId}/seen': {
    summary: 'Say that somebody has looked at one',
    refusals: [404],
  },
  'GET /office/payments': { summary: 'Payments, a row for each franchise that one has paid' },
  'GET /office/payments/summary': { summary: 'What the payments of a list come to' },
  'GET /office/payments.csv': { summary: 'The payments of a list as a file' },
  'GET /office/payments/{paymentId}': { summary: 'All that is known of one payment', refusals: [404] },
  'POST /office/payments/{paymentId}/receipt': {
    summary: 'Send the receipt of a payment again',
    refusals: [404, 409],
  },
  'POST /office/payments/{paymentId}/notes': { summary: 'Write a note about a payment', refusals: [404] },
  'POST /office/credits/{franchiseId}/{chargeId}/{workOrderNumber}/looked-at': {
    summary: 'Say that somebody has looked at a credit',
    refusals: [404],
  },
};
