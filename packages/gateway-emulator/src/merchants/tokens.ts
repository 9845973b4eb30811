import type { Call, Plan } from '../call.ts';
import { brandOf } from '../cards/card-number.ts';
import { textOf } from '../cards/resolve-card.ts';
import { errorText } from '../error-codes.ts';
import type { Change } from '../ledger/ledger.ts';
import type { Token } from '../ledger/records.ts';
import { refusal } from '../transactions/refusal.ts';
import { newTokenKey } from './keys.ts';

function tokenView(token: Token): Record<string, unknown> {
  return {
    cardref: token.key,
    masked_card_number: `XXXXXXXXXXXX${token.number.slice(-4)}`,
    card_type: brandOf(token.number)?.word ?? 'Visa',
  };
}

function newTokenOf(call: Call, sent: unknown): Token | undefined {
  const { trankey, transaction_key } = (sent ?? {}) as Record<string, unknown>;
  const transaction = call.ledger.transactionOf(call.merchant.name, textOf(trankey ?? transaction_key));
  if (!transaction) return undefined;
  const { number, expiration } = transaction.card;
  return { key: newTokenKey(), number, expiration };
}

/** POST /tokens: a token for a transaction's card, or an array of them. */
export function makeTokens(call: Call): Plan {
  if (call.items.length === 0) {
    const token = newTokenOf(call, call.body);
    if (!token) return refusal(404, 20001);
    return { status: 200, body: { token: tokenView(token) }, changes: [{ table: 'tokens', put: token }] };
  }
  const tokens = call.items.map((item) => newTokenOf(call, item));
  const body = tokens.map((token) =>
    token ? { type: 'token', key: token.key } : { type: 'token', error: errorText(20001) },
  );
  const changes = tokens.flatMap((token): Change[] => (token ? [{ table: 'tokens', put: token }] : []));
  return { status: 200, body, changes };
}

/** GET /tokens/:token. */
export function getToken(call: Call): Plan {
  const token = call.ledger.get('tokens', call.params.token ?? '');
  if (!token) return refusal(404, 601);
  return { status: 200, body: { token: tokenView(token) }, changes: [] };
}
