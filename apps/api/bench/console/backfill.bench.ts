import { atEnd } from '../../../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../../../tools/bench/bench.ts';
import type { Deps } from '../../src/deps.ts';
import { fillShares } from '../../src/modules/payments/shares/fill-shares.ts';
import { withClient } from '../rig/bench-database.ts';
import { startBenchPortal } from '../rig/bench-portal.ts';
import { fillPayable, mintKey, signInPayer, startProvider } from '../rig/payer.ts';
import { besides, median, ofRounds } from '../rig/statistics.ts';
import { takeTurns, timesOf } from '../rig/take-turns.ts';
import { type Books, describeBooks, openBooks, openBooksDeps } from '../scale/open-books.ts';

/** `BENCH_INVOICES` chooses smaller books, which take less time to fill. */
const FULL = { invoices: Number(process.env.BENCH_INVOICES ?? 10_000_000), rounds: 10, payments: 20 };
const SHORT = { invoices: 500, rounds: 1, payments: 1 };

/** Entries without their franchise; more than all rounds fill. */
const UNFILLED_ENTRIES = 1_000_000;

/** Payments with and without the task that backfills older payments' shares and older entries' franchise. */
export default async function backfillBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { invoices, rounds, payments } = short ? SHORT : FULL;
  const { emulator, settings } = await startProvider();
  const [books] = (await openBooks({ sizes: [invoices], short })) as [Books];
  await takeSharesAway(books.url);
  const portal = await startBenchPortal(books, settings);
  await fillPayable(books.url, (rounds + 1) * payments * 2);
  const payer = await signInPayer([portal.url], emulator);
  const deps = await openBooksDeps(portal, settings);
  atEnd(() => deps.db.close());
  let workOrder = 0;
  const pay = async () => {
    const keys = await Promise.all(Array.from({ length: payments }, () => mintKey(emulator)));
    return timesOf(payments, (index) => payer.payAsGuest(++workOrder, keys[index] ?? ''));
  };
  let place = START;
  let filled = 0;
  const times = await takeTurns(rounds, {
    alone: pay,
    beside: async () => {
      await setPlace(books.url, place);
      const all = await whileFilling(deps, pay);
      // While payments run alone, the portal's own task finds nothing to do.
      const reached = await takePlace(books.url);
      filled += Number(reached.entries ?? UNFILLED_ENTRIES) - Number(place.entries);
      place = reached.payments === null || reached.entries === null ? START : reached;
      return all;
    },
  });
  const medians = (all: number[][]) => all.map(median);
  return [
    ...describeBooks(books),
    { name: 'entries filled meanwhile', value: filled, unit: '' },
    ofRounds({ name: 'guest payment, nothing else going on', unit: 'ms' }, medians(times.alone)),
    ofRounds({ name: 'guest payment beside the filling', unit: 'ms' }, medians(times.beside)),
    ofRounds(
      { name: 'beside the filling / alone', unit: 'times', limit: { atMost: 1.1 } },
      besides(medians(times.beside), medians(times.alone)),
    ),
  ];
}

/** Restores the state before the migration that added them. */
async function takeSharesAway(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query('TRUNCATE payment_share');
    await client.query(
      `UPDATE ledger_entry SET franchise_id = NULL
        WHERE id <= (SELECT min(id) FROM ledger_entry) + ${UNFILLED_ENTRIES}`,
    );
    await client.query('VACUUM ANALYZE');
  });
}

/** How far the backfill has got. */
type Place = { payments: string | null; id: string | null; entries: string | null };

const START: Place = { payments: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', entries: '0' };
const DONE: Place = { payments: null, id: null, entries: null };

function setPlace(databaseUrl: string, { payments, id, entries }: Place): Promise<unknown> {
  return withClient(databaseUrl, (client) =>
    client.query(
      'UPDATE share_filling SET payments_before = $1, payments_before_id = $2, entries_after = $3',
      [payments, id, entries],
    ),
  );
}

async function takePlace(databaseUrl: string): Promise<Place> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Place>(
      `SELECT payments_before::text AS payments, payments_before_id AS id, entries_after::text AS entries
         FROM share_filling`,
    ),
  );
  await setPlace(databaseUrl, DONE);
  return rows[0] ?? DONE;
}

/** Runs the work while the task runs. */
async function whileFilling<Result>({ db }: Deps, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const filling = fillShares({ db, underWay: { isEnding: () => isOver } as Deps['underWay'] });
  try {
    return await work();
  } finally {
    isOver = true;
    await filling;
  }
}
