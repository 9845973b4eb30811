import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { TroubleName } from '../bounds.ts';
import type { SimulationRig } from '../rig.ts';
import { type Clerk, drawClerks, makeClerks } from './clerks.ts';
import { drawOfficeDay, type OfficeRound } from './office-day.ts';

/** The staff who refund, and what they do with a world's payments. */
export type Office = {
  clerks: Clerk[];
  /** Two people at headquarters who carefully finish what the others leave. */
  careful: [Clerk, Clerk];
  rounds: OfficeRound[];
  /** Whether a captured sale refuses a release with 118, so that it has to be voided. */
  refusesRelease: boolean;
};

/** How many worlds in a hundred have refunds. */
const REFUNDING_PERCENT = 75;
const LIMITS = [0, 200_00, 500_00];
const DAY_LIMITS = [100_00, 1000_00];

/** Draws an office's acts and makes its staff. Each world has its own people, whose daily refunds are limited. */
export async function openOffice(
  rig: SimulationRig,
  random: SeededRandom,
  given: { isCalm: boolean; isAllowed: (name: TroubleName) => boolean },
): Promise<Office | null> {
  const isMeant = random.percent(REFUNDING_PERCENT);
  const drawn = drawClerks(random.fork());
  const rounds = drawOfficeDay(random.fork(), { ...given, clerks: drawn.length });
  const limits = random.fork();
  const refusesRelease = random.percent(40);
  if (!isMeant || !given.isAllowed('refunds')) return null;
  const franchiseIds = rig.places.map(({ franchiseId }) => franchiseId);
  for (const franchiseId of franchiseIds) {
    await rig.admin.query(
      'UPDATE franchise SET refund_limit_cents = $2, refund_day_limit_cents = $3 WHERE id = $1',
      [franchiseId, limits.pick(LIMITS), limits.pick(DAY_LIMITS)],
    );
  }
  const [first, second, ...clerks] = await makeClerks(rig.deps, {
    franchiseIds,
    drawn: [{ role: 'admin', places: [] }, { role: 'admin', places: [] }, ...drawn],
  });
  const own = [first, second, ...clerks].map((clerk) => clerk?.caller.id);
  await rig.admin.query(`UPDATE staff SET state = 'off' WHERE state = 'active' AND id <> ALL ($1::uuid[])`, [
    own,
  ]);
  if (!first || !second) throw new Error('nobody is careful');
  return { clerks, careful: [first, second], rounds, refusesRelease };
}
