import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { Told } from '../people/told.ts';
import type { Play } from '../play.ts';
import type { SimulationRig } from '../rig.ts';
import { moveProviderClock } from '../world/move-provider-clock.ts';
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
  rig: SimulationRig,
  { world, play, random }: { world: World; play: Play; random: SeededRandom },
): Promise<OfficePlayed> {
  const before = play.told.length;
  const office = new OfficePlay(rig, { world, play, random });
  if (!world.office) return { told: [], asked: [], hand: office.hand, givenUp: [] };
  const { refusesRelease } = world.office;
  await rig.emulator.switch({ releaseRefused: refusesRelease ? 'always' : 'settled' });
  await office.run(world.office);
  rig.instances.trouble = NO_TROUBLE;
  await moveProviderClock(rig);
  await sweepUntilDone(rig.deps);
  await settleRestore(rig.deps, world.office.careful[0]);
  const given = { world, office: world.office };
  const givenUp = await endRefunds(rig, given);
  await undoWhatWasUndone(rig, given);
  return { told: play.told.slice(before), asked: office.asked, hand: office.hand, givenUp };
}
