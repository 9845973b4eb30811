import { auditEvent } from '../../db/schema/operations.ts';
import type { Deps } from '../../deps.ts';
import type { TransactionRecord } from '../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../merchant-accounts/open-merchant-keys.ts';
import { type ComparedCharge, findByOrderIds } from './comparison.queries.ts';
import { readWorkOrders } from './describe-work-orders.ts';
import {
  type DueComparison,
  endComparison,
  type FoundPayment,
  leaseComparison,
  listAccountsSince,
  openPayments,
  renewComparison,
  storeFoundPayment,
} from './restore.queries.ts';
import { CARD_CHECK } from './save-card.ts';
import { scanListing } from './scan-listing.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * After a restore: reads every account's list back to the backup, and keeps what was paid since and is not in our books.
 * Its invoices cannot be paid until a person has settled it; everything else can be from then on.
 */
export async function compareAfterRestore(deps: Deps): Promise<void> {
  const { db, env, log } = deps;
  const publicUrl = env.PUBLIC_URL;
  const due = await db.transaction((tx) => leaseComparison(tx, { publicUrl }));
  if (!due) return;
  try {
    // A day further back than the backup: the merchant's clock may be many hours off.
    const back = new Date(due.sinceMilliseconds - DAY_MILLISECONDS);
    log.warn(
      { back, alert: 'payments are closed' },
      'the database was put back: comparing with the provider',
    );
    const { found, isComplete } = await compareAll(deps, { due, back });
    for (const each of found) await db.transaction((tx) => storeFoundPayment(tx, each));
    const isOpen = isComplete && (await openPayments(db.query, { publicUrl, identity: due.identity }));
    const facts = { found: found.length, isComplete, isOpen };
    const detail = { ...facts, back };
    await db.query
      .insert(auditEvent)
      .values({ actor: 'portal', action: 'compare after restore', subject: 'books', detail });
    if (isOpen && found.length === 0) log.warn(facts, 'payments are open again');
    else log.error({ ...facts, alert: 'a restore needs a person' }, 'payments were made after the backup');
  } finally {
    await endComparison(db.query, { publicUrl });
  }
}

async function compareAll(
  deps: Deps,
  { due, back }: { due: DueComparison; back: Date },
): Promise<{ found: FoundPayment[]; isComplete: boolean }> {
  const found: FoundPayment[] = [];
  let isComplete = true;
  for (const { accountId, isCurrent } of await listAccountsSince(deps.db.query, { since: back })) {
    const [keys] = await openMerchantKeys(deps, { accountId });
    const scan = await scanListing(deps, {
      gateway: deps.gateways.of(keys),
      accountId,
      back,
      onPage: () => renewComparison(deps.db.query, { publicUrl: deps.env.PUBLIC_URL }),
    });
    // Old keys that are refused by now are no gap: the owner's newer ones show the same account.
    isComplete &&= scan.isComplete || (!isCurrent && scan.stoppedBy === 'refused');
    const rows = [...scan.byOrderId.values()]
      .flat()
      .filter((row) => row.orderId.startsWith(`${due.orderPrefix}-`));
    const charges = await findByOrderIds(
      deps.db.query,
      rows.map((row) => row.orderId),
    );
    found.push(...rows.flatMap((row) => missedPayment(row, { accountId, charge: charges.get(row.orderId) })));
  }
  return { found, isComplete };
}

const ACCEPTED = ['accepted', 'reversing', 'captured'];

/** Money that is held or has moved for a payment that our books do not have, or have as one that was not made. */
function missedPayment(
  row: TransactionRecord,
  { accountId, charge }: { accountId: number; charge: ComparedCharge | undefined },
): FoundPayment[] {
  if (row.isRefund || !['held', 'captured', 'settled'].includes(row.state)) return [];
  const state = row.state === 'held' ? 'held' : 'captured';
  // A hold that our books know is the sweep's to give back, and that of a card check goes by itself.
  if (state === 'held' && (charge || row.description === CARD_CHECK)) return [];
  if (charge && ACCEPTED.includes(charge.state)) return [];
  const { workOrders, isWhole } = readWorkOrders(row.description);
  return [{ ...row, accountId, state, workOrders, isUnnamed: !isWhole }];
}
