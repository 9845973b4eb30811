import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { LOOK_UP_SECONDS } from '../../../../../apps/api/src/modules/payments/engine/charges.queries.ts';
import { findHolds } from '../../../../../apps/api/src/modules/payments/sweep/find-holds.ts';
import { sweepCharges } from '../../../../../apps/api/src/modules/payments/sweep/sweep-charges.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/books.ts';
import type { Attack } from '../attack.ts';
import type { RaceBench } from './bench.ts';
import { asGuest, makeSharedInvoices, pressAt } from './pay.ts';
import { waitUntil } from './wait-until.ts';

type Task = (deps: Deps) => Promise<void>;

/** What a sweep is doing when its lease is stolen, and where the provider keeps it waiting. */
type Stolen = {
  task: Task;
  /** How the payment of its charge went; a hold is known to us unless its answer was `lost`. */
  payment: 'accepted' | 'held' | 'lost';
  slow: { command: string; when: 'before' | 'after' };
};

const STOLEN: Stolen[] = [
  { task: sweepCharges, payment: 'accepted', slow: { command: 'capture', when: 'before' } },
  { task: sweepCharges, payment: 'accepted', slow: { command: 'capture', when: 'after' } },
  { task: sweepCharges, payment: 'held', slow: { command: 'void', when: 'before' } },
  { task: sweepCharges, payment: 'held', slow: { command: 'void', when: 'after' } },
  { task: findHolds, payment: 'lost', slow: { command: 'list', when: 'after' } },
];

const LEASE_SECONDS = 60;
const SLOW_SECONDS = 0.5;

export const sweepRaces: Attack<RaceBench>[] = [
  {
    id: 'F56',
    name: 'a sweep that wakes up after its lease was taken changes nothing any more',
    runs: 10,
    async run(bench, round) {
      const { emulator, instances } = bench;
      const { task, payment, slow } = STOLEN[round.run % STOLEN.length] ?? fail();
      const [first, second] = [instances[0].deps, instances[1]?.deps ?? fail()];
      await makePayment(bench, payment);
      await emulator.script({ fault: 'slow', seconds: SLOW_SECONDS, ...slow });
      const before = await sumOfFences(first);
      const sleeping = task(first);
      await waitUntil(async () => (await sumOfFences(first)) > before, 'the first has its lease');
      await advanceEngineClock(first, LEASE_SECONDS + 1);
      await Promise.all([sleeping, task(second)]);
      if ((await sumOfFences(first)) < before + 2) throw new Error('nobody took the lease');
    },
  },
];

async function makePayment(bench: RaceBench, payment: Stolen['payment']): Promise<void> {
  const { emulator, instances, customers } = bench;
  const invoices = await makeSharedInvoices(bench, [customers[0]], { invoices: 1 });
  if (payment === 'held') await emulator.script({ fault: 'partial', command: 'authonly' });
  if (payment === 'lost') await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
  const told = await pressAt(bench, instances[0], await asGuest(bench, invoices));
  const isAsMeant = told.heard === (payment === 'accepted' ? 'paid' : 'not charged');
  if (!isAsMeant) throw new Error(`the payment was to be ${payment}, and ${told.heard} was heard`);
  if (payment === 'accepted') return;
  const { deps } = instances[0];
  await advanceEngineClock(deps, LOOK_UP_SECONDS + 1);
  if (payment === 'held') await findHolds(deps);
}

async function sumOfFences({ db }: Deps): Promise<number> {
  const { rows } = await db.pool.query<{ sum: number }>('SELECT coalesce(sum(fence), 0) AS sum FROM charge');
  return Number(rows[0]?.sum);
}

function fail(): never {
  throw new Error('there is no such variant or instance');
}
