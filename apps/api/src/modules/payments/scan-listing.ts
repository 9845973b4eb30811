import type { Deps } from '../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../gateway/payment-gateway.ts';
import { takeListing } from './leases.queries.ts';

export type Scan = {
  /** Every row that was seen, by its order id. */
  byOrderId: Map<string, TransactionRecord[]>;
  /** Whether the pages fitted together without a gap, back to the date that was asked for. */
  isComplete: boolean;
  stoppedBy?: 'budget' | 'too-many-requests' | 'refused' | 'found';
};

const PAGE = 100;
/** Rows shift while the list grows, so every page repeats the end of the one before. */
const OVERLAP = 10;

/**
 * Reads an account's list from the newest row back to a date. A page that is short, out of order or does not continue
 * the one before it makes the scan incomplete: what it shows is true, and what it does not show proves nothing.
 */
export async function scanListing(
  deps: Pick<Deps, 'db' | 'crashPoint' | 'underWay'>,
  {
    gateway,
    accountId,
    back,
    until = () => false,
    onPage = async () => {},
  }: {
    gateway: PaymentGateway;
    accountId: number;
    /** By the merchant's own clock, which may be fourteen hours off: leave room. */
    back: Date;
    /** Ends the scan early, when what was looked for is found. */
    until?: (seen: Scan['byOrderId']) => boolean;
    /** Called before each page: a scan of a long list takes minutes. */
    onPage?: () => Promise<void>;
  },
): Promise<Scan> {
  const byOrderId: Scan['byOrderId'] = new Map();
  const seen = new Set<string>();
  let last: TransactionRecord | undefined;
  for (let offset = 0; ; offset += PAGE - OVERLAP) {
    await onPage();
    if (!(await waitForBudget(deps, { accountId }))) {
      return { byOrderId, isComplete: false, stoppedBy: 'budget' };
    }
    const page = await gateway.list({ offset, limit: PAGE });
    if (page.kind === 'not-executed') {
      const stoppedBy = page.status === 429 ? 'too-many-requests' : 'refused';
      return { byOrderId, isComplete: false, stoppedBy };
    }
    if (page.kind === 'unknown') return { byOrderId, isComplete: false };
    deps.crashPoint('22-inside-listing');
    const continues = offset === 0 || page.rows.some((row) => seen.has(row.transactionKey));
    for (const row of page.rows) {
      if (seen.has(row.transactionKey)) continue;
      seen.add(row.transactionKey);
      byOrderId.set(row.orderId, [...(byOrderId.get(row.orderId) ?? []), row]);
    }
    const isWhole = page.rows.length === Math.min(PAGE, Math.max(0, page.total - offset));
    if (!continues || !isWhole || !isNewestFirst(page.rows, offset === 0 ? undefined : last)) {
      return { byOrderId, isComplete: false };
    }
    last = page.rows.at(-1);
    const isAtEnd = offset + page.rows.length >= page.total;
    if (isAtEnd || (last && last.createdAt < back)) return { byOrderId, isComplete: true };
    if (until(byOrderId)) return { byOrderId, isComplete: false, stoppedBy: 'found' };
  }
}

const MAX_WAIT_MILLISECONDS = 65_000;
const WAIT_MILLISECONDS = 2_000;

/** A minute's budget comes back with the next minute; a day's is not waited for, and neither is an ending process. */
async function waitForBudget(
  { db, underWay }: Pick<Deps, 'db' | 'underWay'>,
  { accountId }: { accountId: number },
): Promise<boolean> {
  for (let waited = 0; waited < MAX_WAIT_MILLISECONDS; waited += WAIT_MILLISECONDS) {
    const budget = await takeListing(db.query, { accountId });
    if (budget !== 'minute-spent') return budget === 'taken';
    if (underWay.isEnding()) return false;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS));
  }
  return false;
}

function isNewestFirst(rows: TransactionRecord[], before: TransactionRecord | undefined): boolean {
  const unique = new Set(rows.map((row) => row.transactionKey)).size === rows.length;
  const ordered = rows.every((row, index) => {
    const previous = rows[index - 1];
    return !previous || row.createdAt <= previous.createdAt;
  });
  const newest = rows[0];
  // The page starts with rows of the page before, which are no older than that page's last one.
  const overlaps = !before || !newest || newest.createdAt >= before.createdAt;
  return unique && ordered && overlaps;
}
