import type { CallNote } from './call-note.ts';
import { OFFICE_CALL_NOTES } from './office-call-notes.ts';

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } };
const BYTES = { schema: { type: 'string', format: 'binary' } };

/** One row per call; a missing row fails a test. */
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
    summary:
      'An invoice as PDF or PNG, a receipt as PDF or a statement as CSV, by the signed link that each carries',
    isOpen: true,
    answer: { 'application/pdf': BYTES, 'image/png': BYTES, 'text/csv': { schema: { type: 'string' } } },
    alsoAnswers: { 304: 'What the browser has is still good' },
    // A statement's file is of a user, and may be of one location.
    query: { expires: 'required', signature: 'required', user: 'optional', locationId: 'optional' },
    refusals: [403, 404, 429],
    refusesWithPages: true,
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
  'GET /user/account': {
    summary: 'The customer’s account, with a change of its address that waits or can be undone',
  },
  'PUT /user/account': { summary: 'Change the names' },
  'POST /user/email': {
    summary: 'Ask for another email address; a mail there confirms it, one to the old address undoes it',
    refusals: [409, 429],
  },
  'DELETE /user/email': { summary: 'Take back a change of address that is not confirmed' },
  'POST /authentication/email/confirm': {
    summary: 'Confirm a change of address with the token of a mail',
    refusals: [429],
  },
  'POST /authentication/email/undo': {
    summary: 'Undo a change of address with the token of a mail and a new password; ends every session',
    refusals: [409, 429],
  },
  'POST /authentication/offer': {
    summary: 'What a guest’s payment offers to take into an account, by the offer in its answer',
    refusals: [429],
  },
  'POST /authentication/offer/register': {
    summary:
      'Make an account with an offer; the location is in it at the first sign-in with the password chosen here',
    refusals: [429],
  },
  'POST /user/offer': {
    summary: 'Take a guest’s payment and its location into the account; the same again is answered alike',
    refusals: [429],
  },
  'POST /user/password': {
    summary: 'Change the password; ends every session but this one',
    refusals: [429],
  },
  'GET /user/sessions': { summary: 'Where the customer is signed in, used last first' },
  'DELETE /user/sessions': { summary: 'End every session but this one' },
  'DELETE /user/sessions/{sessionId}': { summary: 'End a session', refusals: [404] },
  'POST /user/export': { summary: 'Download what the portal knows of the account', refusals: [429] },
  'POST /user/close': { summary: 'Close the account for good', refusals: [409, 429] },
  'POST /user/resetpassword': {
    summary: 'Send a mail to choose a new password; answers alike for every address',
    refusals: [429],
  },
  'POST /user/confirmresetpassword': {
    summary: 'Set a new password with the token of a mail; ends every session',
    refusals: [429],
  },
  'GET /user/invitations': { summary: 'The invitations that wait for this email address' },
  'POST /user/invitations': { summary: 'Accept all of them', refusals: [404] },
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
    summary: 'Pay one invoice without an account; with the right zip code the answer offers one',
    refusals: [404, 409, 429],
    headers: 'payment of one invoice',
  },
  'POST /usaepay/customerportalsale': {
    summary: 'Pay several invoices with a saved card',
    refusals: [404, 409],
    headers: 'payment',
  },
  'GET /user/payments': {
    summary: 'The payments of a year that the customer made or sees at a location, fifty a page',
    refusals: [404],
  },
  'GET /user/payments/{paymentId}': { summary: 'One payment, with its lines', refusals: [404] },
  'GET /user/statements': {
    summary: 'A year’s payments line by line with their sums, and a link to them as CSV',
    refusals: [404, 429],
  },
  'GET /usaepay/portal/paymentmethods': { summary: 'The customer’s saved cards' },
  'POST /usaepay/portal/paymentmethods': {
    summary: 'Save a card, by the payment key that the card provider’s frame handed over',
    refusals: [409, 429],
    answer: JSON_OBJECT,
    headers: 'card',
  },
  'DELETE /usaepay/portal/paymentmethods/{id}': { summary: 'Forget a card', refusals: [404] },
  ...OFFICE_CALL_NOTES,
};
