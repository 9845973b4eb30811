import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import type { Queryable } from '../../../db/client.ts';
import { readRows } from '../../../db/snapshots/snapshot.queries.ts';
import type { Deps } from '../../../deps.ts';
import { type LineRow, ownPaymentLines } from './payment-lines.queries.ts';
import { presentPayments } from './present-payment.ts';

/** All of an account's own payments, newest first, page by page. Leaves out other people's. */
export async function* readOwnPayments(
  deps: Pick<Deps, 'env' | 'clock'>,
  snapshot: Queryable,
  { userId, linesAtATime }: { userId: string; linesAtATime: number },
): AsyncGenerator<ListedPayment[]> {
  // Lines of one payment are adjacent, but may continue on the next page.
  let begun: LineRow[] = [];
  const pages = readRows<{ line: LineRow }>(snapshot, ownPaymentLines(userId), { count: linesAtATime });
  for await (const page of pages) {
    const lines = [...begun, ...page.map(({ line }) => line)];
    const last = lines.at(-1)?.paymentId;
    begun = lines.filter(({ paymentId }) => paymentId === last);
    yield presentPayments(deps, lines.slice(0, lines.length - begun.length));
  }
  yield presentPayments(deps, begun);
}
