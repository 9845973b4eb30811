import type { ServerResponse } from 'node:http';
import { maskedNumber } from '../cards/card-number.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Emulator } from '../emulator.ts';
import type { Transaction } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';
import { dollarsOf } from './dollars.ts';

const SHOWN = 500;

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; }
h1 { font-size: 1.5rem; }
.rows { overflow-x: auto; border: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); border-radius: 12px; }
table { border-collapse: collapse; width: 100%; white-space: nowrap; }
th, td { padding: .5rem .75rem; text-align: left; }
th { font-weight: 600; }
tbody tr + tr td { border-top: 1px solid color-mix(in srgb, CanvasText 12%, Canvas); }
thead th { border-bottom: 1px solid color-mix(in srgb, CanvasText 12%, Canvas); }
.amount { text-align: right; font-variant-numeric: tabular-nums; }
.key { font-family: ui-monospace, monospace; font-size: .875rem; }
`;

const COLUMNS = ['Time', 'Merchant', 'Command', 'State', 'Card', 'Amount', 'Order id', 'Invoice', 'Key'];

const STATES: Record<string, string> = {
  S: 'Sale',
  A: 'Held',
  L: 'Captured',
  C: 'Refund',
  V: 'Voided',
  Z: 'Voided refund',
};

const RESULTS: Record<string, string> = {
  P: ', in part',
  D: ', declined',
  E: ', error',
  V: ', to be verified',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function row(transaction: Transaction, timeZone: string): string {
  const state = `${STATES[transaction.type]}${RESULTS[transaction.result] ?? ''}`;
  const settled = transaction.status === 'S' ? ', settled' : '';
  const cells = [
    merchantTime(transaction.createdAt, timeZone),
    transaction.merchant,
    transaction.command,
    `${state}${settled}`,
    maskedNumber(transaction.card.number),
    dollarsOf(transaction.amountCents),
    textOf(transaction.fields.orderid),
    textOf(transaction.fields.invoice),
    transaction.key,
  ];
  const classes: Record<number, string> = { 5: ' class="amount"', 8: ' class="key"' };
  return `<tr>${cells.map((cell, index) => `<td${classes[index] ?? ''}>${escaped(cell)}</td>`).join('')}</tr>`;
}

/** GET /: every merchant's newest transactions, for people. */
export function transactionsPage({ ledger, switches }: Emulator, response: ServerResponse): void {
  const transactions = ledger.all('transactions').reverse();
  const head = COLUMNS.map(
    (name, index) => `<th scope="col"${index === 5 ? ' class="amount"' : ''}>${name}</th>`,
  );
  const rows = transactions.slice(0, SHOWN).map((transaction) => row(transaction, switches.timeZone));
  const table = `<div class="rows" tabindex="0" role="region" aria-label="Transactions"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Gateway emulator</title><style>${STYLE}</style></head>
<body><main><h1>Gateway emulator</h1>
<p>A stand-in for the card provider. No money moves here. ${transactions.length} transactions, newest first.</p>
${transactions.length === 0 ? '<p>No transactions yet.</p>' : table}
</main></body></html>`;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(html);
}
