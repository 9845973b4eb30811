import { sql } from 'drizzle-orm';
import { merchantAccount } from '../../../../../apps/api/src/db/schema/franchises.ts';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { replaceMerchantAccount } from '../../../../../apps/api/src/modules/merchant-accounts/replace-merchant-account.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { call, type TestApp } from '../../../../../apps/api/test/build-test-app.ts';
import { guestSale, payAsGuest } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import {
  type SignedInUser,
  signInUser,
  startSessionOf,
} from '../../../../../apps/api/test/factories/users.ts';
import { makeStaff } from '../../../../../apps/api/test/office/office-people.ts';
import type { Attack, Round } from '../attack.ts';
import type { RestoreRig } from './rig.ts';
import type { Way } from './ways.ts';
import * as ways from './ways.ts';

/** How the provider's list answers the first request after a restore. */
const LISTS = [
  { fault: 'status', status: 500, command: 'list' },
  { fault: 'list-missing' },
  { fault: 'status', status: 429, command: 'list' },
  { fault: 'truncate', command: 'list' },
  { fault: 'reset', command: 'list' },
];

type Invoice = Awaited<ReturnType<typeof makeUnpaidInvoices>>[number];
type Scene = {
  customer: SignedInUser;
  cardId: string;
  invoices: Record<'before' | 'captured' | 'held' | 'unpaid' | 'onNewAccount', Invoice>;
  /** The customer's, on two merchant accounts. */
  several: Invoice[];
  /** Gets its own merchant account after the backup. */
  franchiseId: number;
};

/**
 * Pays, takes a backup, pays more, saves a card, gives a franchise its own account, and restores the backup. Nobody may
 * pay before the lists are compared, and nothing may be captured twice afterwards. Staff and keys are held.
 */
async function restore(rig: RestoreRig, round: Round, way: Way): Promise<void> {
  const cluster = rig.copyCluster();
  const url = await cluster.start();
  const portal = await rig.openPortal(url);
  const scene = await setScene(rig, portal);
  const bringBack = await way(rig, { cluster, url, portal }, round);
  await payOn(rig, portal, scene);
  const lost = await capturedInvoices(portal.deps);
  const restored = await bringBack();
  try {
    await signInAgain(restored, scene);
    await mustStayClosed(rig, restored, scene, round);
    await mustFind(rig, restored, scene);
    await mustHoldAccess(restored);
    // The original, if it still runs, must not have lost anything.
    if (restored !== portal && isOpen(portal)) await mustGoOn(portal);
  } finally {
    // Even after a failure, check whether money moved twice.
    await sweep(restored.deps);
    const known = await capturedInvoices(restored.deps);
    rig.wrong = await judgeCaptures(rig, new Map([...lost, ...known]));
  }
}

/** Somebody may have been dismissed after the backup. */
async function mustHoldAccess({ deps }: TestApp): Promise<void> {
  const { rows } = await deps.db.query.execute<{ held: boolean }>(
    sql`SELECT held_at IS NOT NULL AS held FROM staff`,
  );
  if (rows.length === 0 || rows.some(({ held }) => !held)) throw new Error('access is not held');
}

/** A token is valid at only one address. */
async function signInAgain({ deps }: TestApp, { customer }: Scene): Promise<void> {
  const { accessToken } = await startSessionOf(deps, customer);
  customer.token = accessToken;
}

const isOpen = ({ deps }: TestApp) => !deps.db.pool.ended && !deps.underWay.isEnding();

async function mustGoOn({ deps }: TestApp): Promise<void> {
  await sweep(deps);
  const left = (await chargesOf(deps)).filter(({ state }) => state !== 'captured' && state !== 'released');
  if (left.length > 0) throw new Error(`of the original, ${left[0]?.orderId} is ${left[0]?.state}`);
}

async function setScene(rig: RestoreRig, portal: TestApp): Promise<Scene> {
  const { emulator } = rig;
  const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
  const [moving] = await makeFranchises(portal, emulator, { accounts: 1 });
  const customer = await signInUser(portal);
  const make = (on: typeof franchises, invoices: number) =>
    makeUnpaidInvoices(portal, { user: customer, franchises: on, invoices });
  const [before, captured, held, unpaid] = await make(franchises.slice(0, 1), 4);
  const [onNewAccount] = await make(moving ? [moving] : [], 1);
  if (!before || !captured || !held || !unpaid || !onNewAccount || !moving)
    throw new Error('too few invoices');
  const cardId = await addCard(portal, emulator, customer);
  const scene = {
    customer,
    cardId,
    invoices: { before, captured, held, unpaid, onNewAccount },
    several: await make(franchises, 2),
    franchiseId: moving.franchiseId,
  };
  must(await pay(rig, portal, before), 200);
  await sweep(portal.deps);
  await makeStaff(portal);
  // Months ago, access was held and confirmed.
  await portal.deps.db.query.execute(sql`INSERT INTO restore_notice DEFAULT VALUES`);
  return scene;
}

/** Everything that happens after the backup. */
async function payOn(rig: RestoreRig, portal: TestApp, scene: Scene): Promise<void> {
  const { invoices, customer, franchiseId } = scene;
  await giveAccount(rig, portal, franchiseId);
  must(await pay(rig, portal, invoices.captured), 200);
  must(await paySeveral(portal, scene), 200);
  must(await pay(rig, portal, invoices.onNewAccount, 'east'), 200);
  await sweep(portal.deps);
  await addCard(portal, rig.emulator, customer);
  must(await pay(rig, portal, invoices.held), 200);
}

async function giveAccount(rig: RestoreRig, { deps }: TestApp, franchiseId: number): Promise<void> {
  const keys = await rig.emulator.merchant('east');
  await deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
}

const pay = async (rig: RestoreRig, portal: TestApp, invoice: Invoice, merchant = 'portal') =>
  payAsGuest(portal, await guestSale(rig.emulator, invoice, { merchant }));

const paySeveral = (portal: TestApp, { several, customer, cardId }: Scene) =>
  payAsCustomer(portal, customer.token, portalSale(several, { paymentMethodId: cardId }));

async function saveCard(rig: RestoreRig, portal: TestApp, { customer: { token } }: Scene) {
  const paymentKey = await rig.emulator.mintPaymentKey({ merchant: await portalMerchantName(rig, portal) });
  const body = { paymentKey, maskedCard: '4000xxxxxxxx2224', street: 'Maple Street 12', postalCode: '62704' };
  return call(portal, 'POST', '/usaepay/portal/paymentmethods', { token, body });
}

type Answer = Awaited<ReturnType<typeof payAsGuest>>;
const codesOf = (answer: Answer) =>
  (answer.json<{ errors?: { code: string }[] }>().errors ?? []).map(({ code }) => code);

function must(answer: Answer, status: number, code?: string): void {
  const codes = codesOf(answer);
  if (answer.statusCode === status && (!code || codes.includes(code))) return;
  throw new Error(`answered ${answer.statusCode} ${codes}, not ${status} ${code ?? ''}`);
}

/** While the lists can't be read, payments stay closed, whatever is tried and however often. */
async function mustStayClosed(
  rig: RestoreRig,
  restored: TestApp,
  scene: Scene,
  { run }: Round,
): Promise<void> {
  const asked = (await rig.emulator.ledger()).length;
  await rig.emulator.script({ ...LISTS[run % LISTS.length], times: 100 });
  for (let attempt = 0; attempt < 2; attempt++) {
    for (const invoice of [scene.invoices.captured, scene.invoices.unpaid]) {
      must(await pay(rig, restored, invoice), 503, 'PaymentsClosed');
    }
    must(await paySeveral(restored, scene), 503, 'PaymentsClosed');
    must(await saveCard(rig, restored, scene), 503, 'PaymentsClosed');
    await compareAfterRestore(restored.deps);
  }
  await rig.emulator.clearFaults();
  await readListsAgain(restored.deps);
  if ((await rig.emulator.ledger()).length > asked) throw new Error('the provider was asked for a hold');
}

/** Ends the lists' back-off and refills their budget. */
async function readListsAgain({ db }: Deps): Promise<void> {
  await db.query.execute(sql`DELETE FROM provider_budget`);
  await db.query.execute(sql`UPDATE account_look SET next_try_at = NULL, attempts = 0`);
}

async function mustFind(rig: RestoreRig, restored: TestApp, scene: Scene): Promise<void> {
  const { invoices, franchiseId } = scene;
  // The first payer triggers the look at the lists and is turned away: it showed a restore.
  must(await pay(rig, restored, invoices.captured), 503, 'PaymentsClosed');
  await compareAfterRestore(restored.deps);
  must(await pay(rig, restored, invoices.captured), 409, 'PaymentFound');
  must(await pay(rig, restored, invoices.held), 409, 'PaymentFound');
  must(await paySeveral(restored, scene), 409, 'PaymentFound');
  must(await pay(rig, restored, invoices.before), 400, 'AlreadyPaid');
  must(await pay(rig, restored, invoices.unpaid, await portalMerchantName(rig, restored)), 200);
  await sweep(restored.deps);

  // The books forgot this account, so it stays closed until its own list was read, which shows what was lost.
  await giveAccount(rig, restored, franchiseId);
  must(await pay(rig, restored, invoices.onNewAccount, 'east'), 503, 'PaymentsClosed');
  await compareAfterRestore(restored.deps);
  must(await pay(rig, restored, invoices.onNewAccount, 'east'), 409, 'PaymentFound');
  must(await saveCard(rig, restored, scene), 200);
  await sweep(restored.deps);
}

/** The merchant whose key the browser's card field uses: the portal's, which a test copy has replaced. */
async function portalMerchantName({ emulator }: RestoreRig, { deps }: TestApp): Promise<string> {
  const accounts = await deps.db.query.select().from(merchantAccount);
  const current = accounts.find(({ franchiseId, replacedAt }) => franchiseId === null && replacedAt === null);
  return (await emulator.merchants()).find(({ publicKey }) => publicKey === current?.publicKey)?.name ?? '';
}

/** The invoices of every order in these books. */
async function capturedInvoices({ db }: Deps): Promise<Map<string, number[]>> {
  const { rows } = await db.query.execute<{ orderId: string; workOrders: number[] }>(sql`
    SELECT c.order_id AS "orderId", array_agg(i.work_order_number::integer) AS "workOrders"
      FROM charge c JOIN charge_allocation a ON a.charge_id = c.id JOIN invoice i ON i.id = a.invoice_id
     GROUP BY c.order_id`);
  return new Map(rows.map(({ orderId, workOrders }) => [orderId, workOrders]));
}

async function judgeCaptures(rig: RestoreRig, invoices: Map<string, number[]>): Promise<string[]> {
  const captured = (await rig.emulator.ledger())
    .filter(({ trantype_code: type }) => type === 'L' || type === 'S')
    .flatMap(({ orderid }) => invoices.get(orderid) ?? []);
  const times = Map.groupBy(captured, (workOrder) => workOrder);
  return [...times]
    .filter(([, each]) => each.length > 1)
    .map(([workOrder, each]) => `work order ${workOrder} was captured ${each.length} times`);
}

const attack = (id: string, name: string, way: Way): Attack<RestoreRig> => ({
  id,
  name,
  runs: LISTS.length,
  run: (rig, round) => restore(rig, round, way),
});

export const restores: Attack<RestoreRig>[] = [
  attack('R01', 'a dump in a new database', ways.dumpIntoNewDatabase),
  attack('R02', 'a dump put back in place, under a running portal', ways.dumpInPlace),
  attack('R03', 'a dump put back in place, and the portal restarted', ways.dumpInPlaceThenRestart),
  attack('R04', 'a base backup started as it is', ways.baseBackup),
  attack('R05', 'a snapshot of the volume', ways.volumeSnapshot),
  attack('R06', 'a snapshot of the volume, under a running portal', ways.snapshotUnderRunningPortal),
  attack('R07', 'a recovery site at another address', ways.recoverySite),
  attack('R08', 'the promotion of a standby that was behind', ways.promotion),
  attack('R09', 'a clone beside the original', ways.clone),
  attack('R10', 'a copy for testing, under other keys', ways.testCopy),
  attack('R11', 'the database’s machine put back with its memory', ways.memoryUnderRunningPortal),
  attack('R12', 'the whole machine put back with its memory, and its clock set', ways.wholeMachine),
  attack('R13', 'a base backup, after a hundred refunds of orders that it knows', ways.baseBackupThenRefunds),
];
