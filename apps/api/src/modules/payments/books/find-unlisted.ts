import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { type Difference, difference, type Rows } from './compare-rows.ts';
import type { MadeRefund } from './compared-refunds.queries.ts';
import type { ComparedCharge } from './comparison.queries.ts';

type Expected = { captured: ComparedCharge[]; refunded: MadeRefund[] };

type Missing = Pick<MadeRefund, 'orderId' | 'reference' | 'amountCents'> & {
  kind: Difference['kind'];
  transactionKey: string | null;
  isIt: (record: TransactionRecord) => boolean;
};

/** With the keys of another account all of three days may be missing. */
const MOST_ASKED = 20;

/**
 * Asks for what our books have and a complete list lacks: it may be older than the list was read back, like a refund by
 * hand that was adopted a week later. Returns the list with what was found, and the rest as differences.
 */
export async function findUnlisted(
  gateway: PaymentGateway,
  expected: Expected,
  scan: Rows,
): Promise<{ rows: Rows; missing: Difference[] }> {
  const byOrderId = new Map(scan.byOrderId);
  const missing: Difference[] = [];
  for (const [index, each] of unlisted(expected, scan).entries()) {
    const record = index < MOST_ASKED ? await ask(gateway, each) : null;
    if (record) byOrderId.set(record.orderId, [...(byOrderId.get(record.orderId) ?? []), record]);
    else missing.push(difference(each.kind, each));
  }
  return { rows: { byOrderId }, missing };
}

async function ask(
  gateway: PaymentGateway,
  { transactionKey, isIt }: Missing,
): Promise<TransactionRecord | null> {
  if (transactionKey === null) return null;
  const found = await gateway.find({ transactionKey });
  return found.kind === 'found' && isIt(found.transaction) ? found.transaction : null;
}

function unlisted({ captured, refunded }: Expected, { byOrderId }: Rows): Missing[] {
  const shown = new Set([...byOrderId.values()].flat().map(({ transactionKey }) => transactionKey));
  return [
    ...refunded
      .filter(({ transactionKey }) => !shown.has(transactionKey))
      .map((refund) => ({
        ...refund,
        kind: 'refund-not-at-the-provider' as const,
        isIt: ({ isRefund }: TransactionRecord) => isRefund,
      })),
    ...captured
      .filter(({ orderId }) => !byOrderId.has(orderId))
      .map(({ orderId, transactionKey, reference, amountCents }) => ({
        orderId,
        transactionKey,
        reference: reference ?? '',
        amountCents,
        kind: 'not-at-the-provider' as const,
        isIt: (record: TransactionRecord) => record.orderId === orderId,
      })),
  ];
}
