import type { Call, Plan } from '../call.ts';
import { maskedNumber } from '../cards/card-number.ts';
import { dollarsOf } from './dollars.ts';
import { refusal } from './refusal.ts';

/** GET /transactions/:key/receipts/:id: a page in base64, as a bare JSON string. */
export function getReceipt(call: Call): Plan {
  const transaction = call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  if (!transaction) return refusal(404, 20001);
  const lines = [
    '<h1>Receipt</h1>',
    `<p>Reference ${transaction.refnum}</p>`,
    `<p>Card ${maskedNumber(transaction.card.number)}</p>`,
    `<p>Amount ${dollarsOf(transaction.amountCents)}</p>`,
  ];
  return { status: 200, body: Buffer.from(lines.join('\n')).toString('base64'), changes: [] };
}

/** POST /transactions/:key/send: only answers that it was sent; the emulator sends no mail. */
export function sendReceipt(call: Call): Plan {
  const transaction = call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  if (!transaction) return refusal(404, 20001);
  return { status: 200, body: { status: 'success' }, changes: [] };
}
