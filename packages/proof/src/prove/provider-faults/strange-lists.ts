import { sql } from 'drizzle-orm';
import { compareBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { APPROVED_CARD } from '../../../../../apps/api/test/emulator.ts';
import type { Round } from '../attack.ts';
import {
  attack,
  type FaultAttack,
  failToAuthorize,
  kindOf,
  LOOK_UP_SECONDS,
  pay,
  sweepAfter,
} from './fault-attack.ts';
import type { AnswerBody } from './network/provider-proxy.ts';
import { must, payAgain } from './payments.ts';
import { resolve } from './resolve.ts';
import { restore } from './restore.ts';
import { type FaultRig, IMPATIENT } from './rig.ts';

type Row = Record<string, unknown>;

/** Changes every row that the provider shows, in lists and alone. */
function changeRows({ proxy }: FaultRig, change: (row: Row, index: number) => Row): void {
  proxy.change('list', (body: AnswerBody) => ({ ...body, data: (body.data as Row[]).map(change) }));
  proxy.change('get', (body: AnswerBody) => change(body, 0));
}

const HOUR_MILLISECONDS = 60 * 60 * 1000;

function hourLater(created: unknown): string {
  const at = Date.parse(`${String(created).replace(' ', 'T')}Z`) + HOUR_MILLISECONDS;
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Sets the clocks back: by the merchant's local time, everything so far is an hour later than what follows. */
async function setClocksBack(rig: FaultRig): Promise<void> {
  const before = new Set((await rig.emulator.ledger()).map(({ key }) => key));
  changeRows(rig, (row) => (before.has(String(row.key)) ? { ...row, created: hourLater(row.created) } : row));
}

/** More than a page of another system's sales. */
async function sellByHand({ emulator, franchises }: FaultRig): Promise<void> {
  const merchant = franchises[0]?.merchant ?? '';
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  const sale = { command: 'sale', amount: '1.00', creditcard };
  const sales = Array.from({ length: 105 }, () => emulator.callAs(merchant, 'POST', '/transactions', sale));
  await Promise.all(sales);
}

async function chargesOfRun({ portal, run }: FaultRig) {
  return (await chargesOf(portal.deps)).filter(({ id }) => !run.before.has(id));
}

/** The states of this run's charges that took no money. */
async function unpaidStates(rig: FaultRig): Promise<string[]> {
  const states = (await chargesOfRun(rig)).map(({ state }) => state);
  return states.filter((state) => !['captured', 'released', 'refused'].includes(state));
}

/** Proves that a hold was never made, and compares both books. */
async function mustProveAndCompare(rig: FaultRig): Promise<void> {
  for (const seconds of [LOOK_UP_SECONDS, 16 * 60, 61, 61]) await sweepAfter(rig, seconds);
  const states = await unpaidStates(rig);
  must(states.length > 0 && states.every((state) => state === 'absent'), `not proved absent: ${states}`);
  const { isComplete, differences } = await compareBooks(rig.portal.deps);
  must(isComplete, 'the comparison is incomplete');
  const orders = new Set((await chargesOfRun(rig)).map(({ orderId }) => orderId));
  const ours = differences.filter(({ orderId }) => orders.has(orderId));
  must(ours.length === 0, `the comparison finds ${JSON.stringify(ours)}`);
}

async function repeatedHour(rig: FaultRig, round: Round): Promise<void> {
  await pay(rig, kindOf(round));
  await sellByHand(rig);
  await setClocksBack(rig);
  const payment = await failToAuthorize(rig, round, { fault: 'reset', when: 'before' });
  await payAgain(rig, payment);
  await mustProveAndCompare(rig);
  await resolve(rig, round);
}

/** How rows omit their time: all of them, some of them, or with a less precise field. */
const UNDATED: ((row: Row, index: number) => Row)[] = [
  ({ created: _, ...row }) => row,
  ({ created, ...row }, index) => (index % 2 === 0 ? row : { created, ...row }),
  ({ created, ...row }, index) => (index < 20 ? row : { created, ...row }),
  ({ created, ...row }) => ({ ...row, date: String(created).slice(0, 10) }),
  ({ created, ...row }) => ({ ...row, created: null, datetime: created }),
  ({ created, ...row }) => (row.orderid ? row : { created, ...row }),
];

/**
 * A row without a time is neither old nor young. A hold that exists is found and released; for one that was never made,
 * complete lists prove the absence; and nothing accepted is released.
 */
async function undatedRows(rig: FaultRig, round: Round): Promise<void> {
  const isThere = round.run % 2 === 0;
  const undated = UNDATED[Math.floor(round.run / 2) % UNDATED.length];
  if (undated) changeRows(rig, undated);
  const payment = await failToAuthorize(rig, round, { fault: 'reset', when: isThere ? 'after' : 'before' });
  // Moves the hold behind a page of younger rows.
  await sellByHand(rig);
  await payAgain(rig, payment);
  // Accepted and not yet captured, so the comparison must leave it alone.
  await compareBooks(rig.portal.deps);
  if (isThere) {
    // The first list that could show it is the one that would prove its absence.
    await rig.emulator.script({ fault: 'status', status: 500, command: 'list' });
    for (const seconds of [LOOK_UP_SECONDS, 16 * 60, 61]) await sweepAfter(rig, seconds);
    const states = await unpaidStates(rig);
    must(
      states.every((state) => state === 'releasing'),
      `not found: ${states}`,
    );
  } else await mustProveAndCompare(rig);
  await resolve(rig, round);
}

/** Past the end of the previous rest. */
const REFUSED_SECONDS = 120;
/** The first and second rest of an account's listings. */
const RESTS_SECONDS = [300, 1_200];
const REFUSED = 'http://127.0.0.1:1/api/v2';

/** The address is refused after listing too often. Listings back off, longer each time; payments and captures go on. */
async function refusedConnections(rig: FaultRig, round: Round): Promise<void> {
  const { proxy } = rig;
  await failToAuthorize(rig, round, { fault: 'reset', when: round.run % 2 === 0 ? 'after' : 'before' });
  for (const rest of RESTS_SECONDS) {
    rig.reach({ ...IMPATIENT, baseUrl: REFUSED });
    await sweepAfter(rig, REFUSED_SECONDS);
    await mustRest(rig, rest);
    // The address is let in again, but requests no list before the rest is over.
    rig.reach();
    const begin = proxy.calls.length;
    await pay(rig, kindOf(round));
    for (const seconds of [LOOK_UP_SECONDS, rest - 60]) await sweepAfter(rig, seconds);
    const names = proxy.calls.slice(begin).map(({ name }) => name);
    must(!names.includes('list'), 'a list was asked for during the rest');
    must(names.includes('capture'), 'nothing was captured during the rest');
  }
  await resolve(rig, round, { waitingSeconds: 61 * 60 });
}

async function mustRest({ portal }: FaultRig, seconds: number): Promise<void> {
  const { rows } = await portal.deps.db.query.execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM max(listing_rests_until) - engine_now())::float8 AS seconds FROM provider_budget`);
  const left = rows[0]?.seconds ?? 0;
  must(left > seconds - 30 && left <= seconds, `listings rest for ${left} seconds`);
}

export const strangeLists: FaultAttack[] = [
  attack('F58', 'the hour that comes twice: absence is proved, and the books are compared', 10, repeatedHour),
  attack('F59', 'the hour that comes twice after a restore: payments open again', 6, (rig, round) =>
    restore(rig, round, () => setClocksBack(rig)),
  ),
  attack(
    'F60',
    'rows without a time: never read as old, nothing is given back wrongly, absence is proved',
    2 * UNDATED.length,
    undatedRows,
  ),
  attack(
    'F61',
    'an address that is refused after listing: listings rest, payments and captures go on',
    10,
    refusedConnections,
  ),
];
