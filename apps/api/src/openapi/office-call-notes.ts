import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type { CallNote } from './call-note.ts';

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

const CSV = { 'text/csv': { schema: { type: 'string' } } };

/** Notes on the office's calls. */
export const OFFICE_CALL_NOTES: Record<string, CallNote> = {
  'POST /office/session': {
    summary: 'Sign in to the console: email and password, then a second factor',
    isOpen: true,
  },
  'POST /office/session/totp': { summary: 'Show the code of an app' },
  'POST /office/session/recovery': {
    summary: 'Show a recovery code, which is used by it',
  },
  'POST /office/session/resume': { summary: 'Go on after a while away' },
  'DELETE /office/session': { summary: 'Sign out', isOpen: true },
  'GET /office/me': { summary: 'Who is signed in, what they may do, and where' },
  'POST /office/step-up/totp': {
    summary: 'Show the code of an app for one act, which then carries the answer as X-Step-Up',
  },
  'POST /office/welcome': {
    summary: 'Choose a name and a password with the link of an invitation to the staff',
    isOpen: true,
  },
  'POST /office/session/reset': {
    summary: 'Send staff a mail to choose a new password; answers alike for every address',
    isOpen: true,
  },
  'POST /office/session/reset/confirm': {
    summary: 'Choose a new password with the link of a mail',
    isOpen: true,
  },
  'POST /office/factors/totp': {
    summary: 'Begin to add an authenticator app: its secret, once',
    refusals: [409],
    headers: 'act with a secret',
  },
  'POST /office/factors/totp/confirm': {
    summary: 'Show the first code of an app; the first factor signs in',
    refusals: [404],
    headers: 'act with a secret',
  },
  'PUT /office/factors/{factorId}': { summary: 'Rename one of one’s own factors', refusals: [404] },
  'DELETE /office/factors/{factorId}': {
    summary: 'Remove one of one’s own factors, never the last',
    refusals: [404, 409],
  },
  'POST /office/recovery-codes': {
    summary: 'Ten new recovery codes in place of all older ones, once',
    refusals: [409],
    headers: 'act with a secret',
  },
  'GET /office/account': { summary: 'One’s own factors and sessions' },
  'PUT /office/account': { summary: 'Change what the console does for oneself' },
  'PUT /office/account/password': { summary: 'A new password, which signs out everywhere' },
  'DELETE /office/account/sessions/{sessionId}': {
    summary: 'Sign another device out, or all others',
    refusals: [404],
  },
  'GET /office/staff': { summary: 'Who works here, of those whom the caller sees' },
  'POST /office/staff': {
    summary:
      'Give somebody access; a mail has the link. Again for whoever has not come in yet, it renews the link',
    refusals: [404, 409],
    headers: 'act with a secret',
  },
  'PUT /office/staff/{staffId}': {
    summary: 'Change somebody’s role or franchises, or switch them off and on; it signs them out',
    refusals: [404, 409],
    headers: 'place of a person',
  },
  'POST /office/staff/{staffId}/link': {
    summary: 'Send a new link to somebody without a second factor',
    refusals: [404, 409],
    headers: 'act with a secret',
  },
  'DELETE /office/staff/{staffId}/factors': {
    summary: 'Remove all of somebody’s second factors and recovery codes',
    refusals: [404, 409],
  },
  'POST /office/staff/confirm': {
    summary: 'After a restore: let people and keys in again, under a key alone',
  },
  'GET /office/api-keys': { summary: 'The keys of offices’ programs' },
  'POST /office/api-keys': {
    summary: 'Make a key, shown once',
    refusals: [404, 409],
    headers: 'act with a secret',
  },
  'DELETE /office/api-keys/{apiKeyId}': { summary: 'Take a key away', refusals: [404, 409] },
  'POST /office/session/passkey/options': {
    summary: 'What to ask a passkey with, to sign in',
    isOpen: true,
  },
  'POST /office/session/passkey': {
    summary: 'Sign in with a passkey, after a password or without',
    isOpen: true,
  },
  'POST /office/step-up/passkey/options': {
    summary: 'What to ask a passkey with, for one act',
  },
  'POST /office/step-up/passkey': {
    summary: 'Show a passkey for one act, which then carries the answer as X-Step-Up',
  },
  'POST /office/factors/passkey/options': { summary: 'What to make a passkey with' },
  'POST /office/factors/passkey': {
    summary: 'Add a passkey; the first factor signs in',
    headers: 'act with a secret',
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
    refusals: [404, 409],
  },
  'POST /office/invitations': { summary: 'Invite a customer by mail', refusals: [404, 409], headers: 'act' },
  'PUT /office/franchises/{franchiseId}': {
    summary: 'Change a franchise’s settings',
    refusals: [404, 409, 428],
    headers: 'settings',
  },
  'PUT /office/users/{email}': { summary: 'Switch an account off, or on again', refusals: [404] },
  'GET /office/status': { summary: 'What is unfinished, and what waits for a person' },
  'GET /office/review': { summary: 'The charges that need a person' },
  'POST /office/review/{chargeId}/{decision}': {
    summary: 'Decide about a charge that needs a person',
    refusals: [404, 409],
  },
  'POST /office/reconcile': { summary: 'Compare our books with the card provider’s' },
  'POST /office/restored': { summary: 'Say that the database was put back to an earlier moment' },
  'POST /office/moved': {
    summary: 'Say that the portal has moved here from another address, under a key alone',
    refusals: [404],
  },
  'GET /office/found-payments': { summary: 'Payments that the provider knows and our books do not' },
  'POST /office/found-payments/{orderId}/settle': {
    summary: 'Say that one is taken care of; without its version, all that was found under the order',
    refusals: [404, 409],
    headers: 'what is reviewed',
  },
  'GET /office/credits': { summary: 'Credits that no mail told of and nobody has looked at' },
  'POST /office/credits/{creditId}/seen': {
    summary: 'Say that somebody has looked at one',
    refusals: [404],
  },
  'GET /office/payments': {
    summary: 'Payments, a row for each franchise that one has paid',
  },
  'GET /office/payments/summary': { summary: 'What the payments of a list come to' },
  'GET /office/payments.csv': { summary: 'The payments of a list as a file', answer: CSV },
  'GET /office/payments/{paymentId}': { summary: 'All that is known of one payment', refusals: [404] },
  'POST /office/payments/{paymentId}/receipt': {
    summary: 'Send the receipt of a payment again',
    refusals: [404, 409],
    headers: 'act',
  },
  'POST /office/payments/{paymentId}/notes': {
    summary: 'Write a note about a payment',
    refusals: [404],
    headers: 'act',
  },
  'POST /office/credits/{franchiseId}/{chargeId}/{workOrderNumber}/looked-at': {
    summary: 'Say that somebody has looked at a credit',
    refusals: [404],
    headers: 'act',
  },
  'GET /office/invoices': { summary: 'Invoices, with what is paid and due of each' },
  'GET /office/invoices.csv': { summary: 'The invoices of a list as a file', answer: CSV },
  'GET /office/invoices/{franchiseId}/{workOrderNumber}': {
    summary: 'All that is known of one invoice',
    refusals: [404],
  },
  'POST /office/invoices/{franchiseId}/{workOrderNumber}/notes': {
    summary: 'Write a note about an invoice',
    refusals: [404],
    headers: 'act',
  },
  'GET /office/customers': { summary: 'Customers, with what is open and overdue of each' },
  'GET /office/customers/{franchiseId}/{customerNumber}': {
    summary: 'All that is known of one customer',
    refusals: [404],
  },
  'POST /office/customers/{franchiseId}/{customerNumber}/notes': {
    summary: 'Write a note about a customer',
    refusals: [404],
    headers: 'act',
  },
  'POST /office/customers/{franchiseId}/{customerNumber}/invitations': {
    summary: 'Invite somebody to a customer’s invoices by mail',
    refusals: [404, 409],
    headers: 'act',
  },
  'DELETE /office/customers/{franchiseId}/{customerNumber}/invitations/{invitationId}': {
    summary: 'Withdraw an invitation: its link stops working',
    refusals: [404, 409],
  },
  'DELETE /office/customers/{franchiseId}/{customerNumber}/people/{userId}': {
    summary: 'End a person’s access to a customer’s locations',
    refusals: [404],
  },
  'POST /office/customers/{franchiseId}/{customerNumber}/people/{userId}/mails': {
    summary: 'Send a person a reset or a confirmation mail',
    refusals: [404, 409],
    headers: 'act',
  },
  'GET /office/customers/{franchiseId}/{customerNumber}/statement': {
    summary: 'A customer’s invoices and payments of some days, with both balances',
    refusals: [404],
  },
  'GET /office/customers/{franchiseId}/{customerNumber}/statement.csv': {
    summary: 'A customer’s statement as a file',
    refusals: [404, 503],
    answer: CSV,
  },
  'POST /office/import/preview': {
    summary: 'Check a file: what its import would change, or what is wrong with it',
    refusals: [404, 409],
  },
  'GET /office/imports': { summary: 'The files that were sent in' },
  'GET /office/imports/{importId}': { summary: 'How far a file is, and what came of it', refusals: [404] },
  'GET /office/imports/{importId}/undo.csv': {
    summary: 'A file that brings back what an import has changed',
    refusals: [404, 409],
    answer: CSV,
  },
  'POST /office/review/{chargeId}': {
    summary: 'Decide about a charge that needs a person',
    refusals: [404, 409],
  },
  'GET /office/differences': {
    summary: 'Where our books and the card provider’s were found apart',
  },
  'POST /office/differences/{differenceId}/acknowledge': {
    summary: 'Say that one is taken care of',
    refusals: [404, 409],
    headers: 'what is reviewed',
  },
  'GET /office/waiting': { summary: 'How much waits for somebody, as far as the caller sees it' },
  'POST /office/payments/{paymentId}/refunds': {
    summary:
      'Ask for money to go back, one refund for each charge; needs an Idempotency-Key, and above the limits an approval',
    refusals: [404, 409, 503],
    headers: 'refund',
  },
  'GET /office/refunds': { summary: 'Refunds, and those that need an approval or a person' },
  'GET /office/refunds/{refundId}': {
    summary: 'One refund, what was done with it, and what may be adopted while it is held',
    refusals: [404],
  },
  'POST /office/refunds/{refundId}/approve': {
    summary: 'Approve what somebody else has asked for, the whole request at once',
    refusals: [404, 409],
  },
  'POST /office/refunds/{refundId}/withdraw': {
    summary: 'Take back what was not sent, or close what came to nothing',
    refusals: [404, 409],
  },
  'POST /office/refunds/{refundId}/decide': {
    summary: 'Decide about a held refund once the provider was asked, or undo one that it took back',
    refusals: [404, 409],
    headers: 'held refund',
  },
  'POST /office/refunds/{refundId}/send-again': {
    summary: 'Ask again for what was refused or not made; needs an Idempotency-Key',
    refusals: [404, 409, 503],
    headers: 'refund',
  },
  'POST /office/disputes': {
    summary: 'Record a dispute: its charge is not refunded',
    refusals: [404, 409],
    headers: 'act',
  },
  'GET /office/audit': { summary: 'What was done by hand, and by whom' },
  'GET /office/audit.csv': { summary: 'The audit of a list as a file', answer: CSV },
  'GET /office/franchises/{franchiseId}': { summary: 'A franchise’s settings', refusals: [404] },
  'POST /office/franchises/{franchiseId}/gateway/test': {
    summary: 'Try keys of the card provider: asks for one list and moves nothing',
    refusals: [404],
  },
};

/** Calls that only a demo has. */
export const DEMO_CALL_NOTES: Record<string, CallNote> = {
  'POST /office/session/demo': {
    summary: 'Sign in with a link that the command line printed',
    isOpen: true,
  },
  'POST /office/step-up/demo': { summary: 'Confirm one act as a demo’s session may, without a factor' },
  'POST /office/demo-links': { summary: 'A link that signs somebody of the staff in', refusals: [404] },
  'POST /office/demo-clock': { summary: 'Move the clock ahead for everything that waits' },
};
