import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { SimulationBench } from '../bench.ts';
import type { Told } from '../people/told.ts';
import type { Play } from '../play.ts';
import { followEngineClock } from '../world/move-clocks.ts';
import { NO_TROUBLE } from '../world/trouble.ts';
import type { World } from '../world/world.ts';
import { endRefunds, undoWhatWasUndone } from './end-refunds.ts';
import { type Asked, OfficePlay } from './play-office.ts';
import type { RefundHand } from './refunds-by-hand.ts';
import type { SimulatedRefund } from './refunds-of.ts';
import { settleRestore } from './settle-restore.ts';

/** The outcome of an office's days. */
export type OfficePlayed = {
  /** Answers to payments made meanwhile. */
  told: Told[];
  asked: Asked[];
  hand: RefundHand;
  givenUp: SimulatedRefund[];
};

/** Plays an office with a world's payments, and has careful people finish what it leaves. */
export async function playOffice(
  bench: SimulationBench,
  { world, play, random }: { world: World; play: Play; random: SeededRandom },
): Promise<OfficePlayed> {
  const before = play.told.length;
  const office = new OfficePlay(bench, { world, play, random });
  if (!world.office) return { told: [], asked: [], hand: office.hand, givenUp: [] };
  const { refusesRelease } = world.office;
  await bench.emulator.switch({ releaseRefused: refusesRelease ? 'captured' : 'settled' });
  await office.run(world.office);
  bench.instances.trouble = NO_TROUBLE;
  await followEngineClock(bench);
  await sweepUntilDone(bench.deps);
  await settleRestore(bench.deps, world.office.careful[0]);
  const given = { world, office: world.office };
  const givenUp = await endRefunds(bench, given);
  await undoWhatWasUndone(bench, given);
  return { told: play.told.slice(before), asked: office.asked, hand: office.hand, givenUp };
}
