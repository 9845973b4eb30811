import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { LOOK_UP_SECONDS } from '../../../../../apps/api/src/modules/payments/engine/charges.queries.ts';
import { aroundCalls } from '../../../../../apps/api/test/around-calls.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { findAllHolds, sweepCharges } from '../../../../../apps/api/test/books/sweep.ts';
import type { Attack } from '../attack.ts';
import { asGuest, makeSharedInvoices, pressAt } from './pay.ts';
import type { RaceRig } from './rig.ts';
import { waitUntil } from './wait-until.ts';

type Task = (deps: Deps) => Promise<void>;

/** What a sweep is doing when its lease is stolen, and whether it sleeps before its call or after it. */
type Stolen = {
  task: Task;
  /** How the payment of its charge went; a hold is known to us unless its answer was `lost`. */
  payment: 'accepted' | 'held' | 'lost';
  call: 'capture' | 'release' | 'list';
  sleeps: 'before' | 'after';
};

const STOLEN: Stolen[] = [
  { task: sweepCharges, payment: 'accepted', call: 'capture', sleeps: 'before' },
  { task: sweepCharges, payment: 'accepted', call: 'capture', sleeps: 'after' },
  { task: sweepCharges, payment: 'held', call: 'release', sleeps: 'before' },
  { task: sweepCharges, payment: 'held', call: 'release', sleeps: 'after' },
  { task: findAllHolds, payment: 'lost', call: 'list', sleeps: 'after' },
];

const LEASE_SECONDS = 60;

export const sweepRaces: Attack<RaceRig>[] = [
  {
    id: 'F56',
    name: 'a sweep that wakes up after its lease was taken changes nothing any more',
    runs: 10,
    async run(rig, round) {
      const [{ deps: first }, other] = rig.instances;
      const second = other?.deps ?? fail();
      const stolen = STOLEN[round.run % STOLEN.length] ?? fail();
      await makePayment(rig, stolen.payment);
      const asleep = Promise.withResolvers<void>();
      const taken = Promise.withResolvers<void>();
      const sleeping = stolen.task(
        sleeper(first, stolen, () => {
          asleep.resolve();
          return taken.promise;
        }),
      );
      const hasCalled = await Promise.race([asleep.promise.then(() => true), sleeping.then(() => false)]);
      if (!hasCalled) throw new Error(`the first ended without a ${stolen.call}`);
      const before = await sumOfFences(first);
      await advanceEngineClock(first, LEASE_SECONDS + 1);
      const stealing = stolen.task(second);
      await waitUntil(async () => (await sumOfFences(first)) > before, 'the second takes the lease').finally(
        taken.resolve,
      );
      await Promise.all([sleeping, stealing]);
    },
  },
];

/** An instance that sleeps before it sends its first call of this kind, or before it hears the answer. */
function sleeper(deps: Deps, { call, sleeps }: Stolen, sleep: () => Promise<void>): Deps {
  let isFirst = true;
  const gateways = aroundCalls(deps.gateways, call, async (send) => {
    const mustSleep = isFirst;
    isFirst = false;
    if (mustSleep && sleeps === 'before') await sleep();
    const answer = await send();
    if (mustSleep && sleeps === 'after') await sleep();
    return answer;
  });
  return { ...deps, gateways };
}

async function makePayment(rig: RaceRig, payment: Stolen['payment']): Promise<void> {
  const { emulator, instances, customers } = rig;
  const invoices = await makeSharedInvoices(rig, [customers[0]], { invoices: 1 });
  if (payment === 'held') await emulator.script({ fault: 'partial', command: 'authonly' });
  if (payment === 'lost') await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
  const told = await pressAt(rig, instances[0], await asGuest(rig, invoices));
  const isAsMeant = told.heard === (payment === 'accepted' ? 'paid' : 'not charged');
  if (!isAsMeant) throw new Error(`the payment was to be ${payment}, and ${told.heard} was heard`);
  if (payment === 'accepted') return;
  const { deps } = instances[0];
  await advanceEngineClock(deps, LOOK_UP_SECONDS + 1);
  if (payment === 'held') await findAllHolds(deps);
}

async function sumOfFences({ db }: Deps): Promise<number> {
  const { rows } = await db.pool.query<{ sum: number }>('SELECT coalesce(sum(fence), 0) AS sum FROM charge');
  return Number(rows[0]?.sum);
}

function fail(): never {
  throw new Error('there is no such variant or instance');
}
