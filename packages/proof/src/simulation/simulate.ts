import { compareBooks } from '../../../../apps/api/src/modules/payments/books/compare-books.ts';
import type { Difference } from '../../../../apps/api/src/modules/payments/books/compare-rows.ts';
import { sweep, sweepUntilDone } from '../../../../apps/api/test/books/sweep.ts';
import { forgetProvider } from '../../../../apps/api/test/forget-provider.ts';
import { seededRandom } from '../../../../apps/api/test/seeded-random.ts';
import { type Bounds, WIDEST } from './bounds.ts';
import { judgeLateness } from './judge/judge-lateness.ts';
import { judge } from './judge/oracle.ts';
import { playOffice } from './office/simulate-office.ts';
import { comeBack } from './people/come-back.ts';
import {
  countPayments,
  countRefunds,
  type PaymentCounts,
  type RefundCounts,
} from './people/count-payments.ts';
import { reviewWithCare } from './people/review-at-random.ts';
import { judgeAnswers, type Told } from './people/told.ts';
import { Play } from './play.ts';
import type { SimulationRig } from './rig.ts';
import { moveProviderClock } from './world/move-provider-clock.ts';
import { makeWorld, type World } from './world/world.ts';

export type Simulation = {
  seed: number;
  /** Violations, in words. */
  wrong: string[];
  counts: Counts;
  told: Told[];
  trace: string[];
  world: World;
};

/** What happened in a simulation, to show that it tested something. */
export type Counts = {
  steps: number;
  /** Steps at which somebody waited for another's lock. */
  waits: number;
  crashes: number;
  databaseTroubles: number;
  providerTroubles: number;
  /** The crashes while a refund was in flight. */
  crashesDuringRefunds: number;
  /** Answers that said "paid": every replay counts. */
  heardPaid: number;
} & PaymentCounts &
  RefundCounts;

/** Plays one seed on the real engine, has a healthy instance sweep, and judges. */
export async function simulate(
  rig: SimulationRig,
  { seed, bounds = WIDEST }: { seed: number; bounds?: Bounds | undefined },
): Promise<Simulation> {
  const random = seededRandom(seed);
  await startAfresh(rig);
  const world = await makeWorld(rig, random.fork(), { seed, bounds });
  const play = new Play(rig, world, random.fork());
  await rig.emulator.switch({ foldingMode: world.folds ? 'M' : 'N' });
  const begin = performance.now();
  await play.run();
  const seconds = (performance.now() - begin) / 1000;
  await rig.emulator.switch({ foldingMode: 'N' });
  const { broken, hand, scheduler, counts } = play;
  const told = [...play.told, ...(await comeBack(rig, world, play.told))];
  await sweep(rig.deps);
  const late = await judgeLateness(rig.admin);
  const office = await playOffice(rig, { world, play, random: random.fork() });
  const compared = await sweepAll(rig, world);
  const payments = await countPayments(rig.admin, world);
  const wrong = [
    ...broken,
    ...rig.instances.leaked(),
    ...late,
    ...judgeAnswers(told, { world, seconds }),
    ...(await judge(rig, { world, told: [...told, ...office.told], hand, compared, office, seconds })),
  ];
  return {
    seed,
    wrong,
    counts: {
      ...counts,
      steps: scheduler.trace.length,
      waits: scheduler.waits,
      heardPaid: told.filter(({ heard }) => heard === 'paid').length,
      ...payments,
      ...(await countRefunds(rig.admin, world)),
    },
    told,
    trace: scheduler.trace,
    world,
  };
}

/** The next hours without any trouble: sweeps, a person, and the nightly comparison. */
async function sweepAll({ deps }: SimulationRig, world: World): Promise<Difference[]> {
  await sweepUntilDone(deps);
  if ((await reviewWithCare(deps, world)) === 'done') await sweepUntilDone(deps);
  return (await compareBooks(deps)).differences;
}

/** Resets what earlier seeds left, so that it can't influence this one. */
async function startAfresh({ admin, deps, emulator, instances }: SimulationRig): Promise<void> {
  instances.forget();
  forgetProvider(deps);
  await emulator.reset();
  await emulator.clearFaults();
  await admin.query('DELETE FROM engine_clock');
  await admin.query('DELETE FROM provider_budget');
  await admin.query('DELETE FROM refund_coverage');
  await moveProviderClock({ admin, emulator });
}
