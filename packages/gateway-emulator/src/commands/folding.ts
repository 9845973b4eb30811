import { createHash } from 'node:crypto';
import type { Call, Plan } from '../call.ts';

/** Ignored when all data is compared, since they differ between two sends of one purchase. */
const NOT_COMPARED = ['software', 'clientip', 'payment_key', 'creditcard', 'ignore_duplicate'];

/** What the folding mode compares, as one string; empty if nothing is folded. */
export function foldingPrint(call: Call, cardNumber: string, cents: number): string {
  const { body, merchant, switches } = call;
  if (switches.foldingMode === 'N') return '';
  const parts: unknown[] = [merchant.apiKey, cardNumber, cents];
  if (switches.foldingMode === 'O') parts.push(body.orderid ?? '');
  if (switches.foldingMode === 'F') {
    const rest = Object.entries(body).filter(([name]) => !NOT_COMPARED.includes(name));
    parts.push(rest.sort(([one], [other]) => (one < other ? -1 : 1)));
  }
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Replays the original answer for an approved duplicate within the time limit. */
export function foldedPlan(call: Call, print: string): Plan | undefined {
  if (print === '' || call.body.ignore_duplicate === true) return undefined;
  const oldest = call.now - call.switches.foldingMinutes * 60_000;
  const twin = call.ledger
    .transactionsOf(call.merchant.name)
    .find(
      (earlier) => earlier.createdAt >= oldest && earlier.foldingPrint === print && earlier.result === 'A',
    );
  if (!twin) return undefined;
  return { status: 200, body: { ...twin.answer, is_duplicate: 'Y' }, changes: [] };
}
