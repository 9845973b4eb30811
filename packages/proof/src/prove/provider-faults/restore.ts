import { sql } from 'drizzle-orm';
import { PORTAL } from '../../../../../apps/api/src/db/audit.queries.ts';
import { acknowledgeFoundPayment } from '../../../../../apps/api/src/modules/payments/restore/acknowledge-found-payment.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { listFoundPayments } from '../../../../../apps/api/src/modules/payments/restore/list-found-payments.ts';
import { aroundCalls } from '../../../../../apps/api/test/around-calls.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { databaseUrl } from '../../../../../apps/api/test/database/database-url.ts';
import {
  execute,
  makeDatabase,
  type TestDatabase,
} from '../../../../../apps/api/test/database/make-database.ts';
import type { Round } from '../attack.ts';
import { attack, type FaultAttack, kindOf, variantOf } from './fault-attack.ts';
import { must, mustHear, newPayment, type Payment, type Press, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import { closePortal, type FaultRig, judgeRun, noRun } from './rig.ts';

/** What the provider's list does while a restored database is compared with it. */
const LISTS = [
  { fault: 'status', status: 500, command: 'list' },
  { fault: 'list-missing' },
  { fault: 'status', status: 429, command: 'list' },
  { fault: 'list-duplicates' },
  { fault: 'truncate', command: 'list' },
];

/** Longer than any payment's deadline. */
const PAST_DEADLINE_SECONDS = 70;

/** Copies the current database and opens a portal on the copy. Existing connections to it are dropped. */
async function openCopy(rig: FaultRig, from: FaultRig): Promise<{ copy: FaultRig; database: TestDatabase }> {
  const url = from.portal.deps.env.DATABASE_URL;
  const name = new URL(url).pathname.slice(1);
  const adminUrl = databaseUrl(url, 'postgres');
  await execute(adminUrl, 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  const database = await makeDatabase({ adminUrl, templateName: name, databasePrefix: name });
  return { database, copy: { ...rig, ...(await rig.openPortal(database.url)) } };
}

/** Pays, and takes the backup while the provider is asked for the last hold: the backup knows the payment as begun. */
async function payAndBackUp(rig: FaultRig, live: FaultRig, payment: Payment) {
  const { deps } = live.portal;
  const { gateways } = deps;
  let backup: Awaited<ReturnType<typeof openCopy>> | undefined;
  let holds = 0;
  deps.gateways = aroundCalls(gateways, 'authorize', async (send) => {
    holds += 1;
    if (holds === payment.invoices.length) backup = await openCopy(rig, live);
    return send();
  });
  const begun = await payAgain(live, payment);
  deps.gateways = gateways;
  if (!backup) throw new Error('no backup was taken');
  return { backup, begun };
}

/**
 * Pays, restores a backup from before the payment, and has everybody press again: nothing is charged a second time, and
 * nobody hears "not charged" who was. `afterBackup` runs between the payments that the backup knows and the others.
 */
export async function restore(
  rig: FaultRig,
  round: Round,
  afterBackup: () => Promise<void> = async () => {},
): Promise<void> {
  const { copy: live, database: liveDatabase } = await openCopy(rig, rig);
  // A copy counts as a restored database, so it must be compared before it opens.
  await compareAfterRestore(live.portal.deps);
  const kind = kindOf(round);
  const before = await newPayment(live, kind);
  const after = await newPayment(live, kind);
  const held = await newPayment(live, kind);
  const interrupted = await newPayment(live, kind);
  const unpaid = await newPayment(live, kind);
  await payAgain(live, before);
  await sweep(live.portal.deps);
  const { backup, begun } = await payAndBackUp(rig, live, interrupted);
  try {
    await afterBackup();
    await payAgain(live, after);
    await sweep(live.portal.deps);
    await payAgain(live, held);
    await closePortal(live);
    await liveDatabase.drop();
    // The backup can't know what people were told about the lost payments.
    rig.run.told.length = 0;
    const again = () => press(backup.copy, interrupted, { key: begun.key });
    await advanceEngineClock(backup.copy.portal.deps, PAST_DEADLINE_SECONDS);
    mustHaveCode(await again(), 'Unconfirmed');
    await pressAllAgain(backup.copy, round, { before, lost: [after, held, interrupted], unpaid });
    mustHaveCode(await again(), 'PaymentFound');
    const wrong = await judgeRestored(backup.copy);
    must(wrong.length === 0, wrong.join('\n'));
    await acknowledgeAll(backup.copy);
    mustHaveCode(await again(), 'CheckedEarlier');
  } finally {
    await closePortal(backup.copy);
    await backup.database.drop();
    await rig.emulator.reset();
    rig.run = { ...noRun(), before: rig.run.before };
  }
}

function mustHaveCode({ status, codes }: Press, code: string): void {
  must(codes.includes(code), `answered ${status} ${codes}, not ${code}`);
}

async function acknowledgeAll({ portal: { deps } }: FaultRig): Promise<void> {
  for (const { orderId } of await listFoundPayments(deps)) {
    await acknowledgeFoundPayment(deps, { orderId, actor: PORTAL });
  }
}

async function pressAllAgain(
  restored: FaultRig,
  round: Round,
  { before, lost, unpaid }: { before: Payment; lost: Payment[]; unpaid: Payment },
): Promise<void> {
  const { deps } = restored.portal;
  const mustBeClosed = async (payment: Payment) => {
    const { status, heard, codes } = await press(restored, payment);
    must(
      status === 503 && heard === 'nothing certain' && codes.includes('PaymentsClosed'),
      `answered ${status} ${codes}`,
    );
  };
  for (const payment of [...lost, unpaid]) await mustBeClosed(payment);
  await restored.emulator.script({ ...variantOf(round, LISTS), times: 3 });
  await compareAfterRestore(deps);
  for (const payment of [...lost, unpaid]) await mustBeClosed(payment);
  await restored.emulator.clearFaults();
  await deps.db.query.execute(sql`DELETE FROM provider_budget`);
  await deps.db.query.execute(sql`UPDATE account_look SET next_try_at = NULL`);
  await compareAfterRestore(deps);

  for (const payment of lost) {
    payment.mustBePaid = false;
    mustHaveCode(await press(restored, payment), 'PaymentFound');
  }
  mustHear(await press(restored, before), 'already paid');
  await payAgain(restored, unpaid);
  const found = await listFoundPayments(deps);
  const named = new Set(found.flatMap(({ workOrders }) => workOrders.map((each) => each.workOrderNumber)));
  const lines = lost.flatMap(({ invoices }) => invoices);
  must(
    lines.every(({ workOrderNumber }) => named.has(workOrderNumber)),
    'a lost payment was not found',
  );
  await resolve(restored, round);
}

/** What only the provider has must be among the found payments, and nothing else may be wrong. */
async function judgeRestored(restored: FaultRig): Promise<string[]> {
  const found = await listFoundPayments(restored.portal.deps);
  const known = new Set(found.flatMap(({ orderId }) => wordsOfFound(orderId)));
  return (await judgeRun(restored)).filter((words) => !known.has(words));
}

/** Of an order that these books lack, or know as begun: then a person has its charge in review, too. */
const wordsOfFound = (orderId: string) => [
  `only the provider has ${orderId}`,
  `charge ${orderId} (unresolved) is captured 1 times`,
  `charge ${orderId} (unresolved) has not ended`,
];

export const restores: FaultAttack[] = [
  attack(
    'F54',
    'a database put back to before a payment: closed until it is found, and not charged again',
    10,
    restore,
  ),
];
