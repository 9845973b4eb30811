import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { TroubleName } from '../bounds.ts';

/** What an office does with payments, and what happens around it. */
export type OfficeAct =
  | { kind: 'ask' | 'approve' | 'withdraw' | 'send-again' | 'decide' | 'dispute'; clerk: number }
  | { kind: 'sweep' | 'compare' | 'batches' | 'pay-again' | 'lower' | 'restore' }
  /** Somebody at the provider refunds a sale, voids a sale or a refund, or undoes a void. */
  | { kind: 'hand-refund' | 'hand-void' | 'unvoid' };

/** Acts that begin together, after that many seconds. */
export type OfficeRound = { seconds: number; acts: OfficeAct[] };

const LEAST_ROUNDS = 4;
const MINUTE_SECONDS = 60;
/** Shortly, past a lease, past the proof of absence or a void's window, past a wait for settlement. */
const WAITS = [10, 70, 16 * MINUTE_SECONDS, 31 * MINUTE_SECONDS, 61 * MINUTE_SECONDS];
const NIGHT_SECONDS = 25 * 60 * MINUTE_SECONDS;

type Chance = {
  name: TroubleName | null;
  percent: number;
  most: number;
  act: (random: SeededRandom, clerks: number) => OfficeAct;
  /** It causes no trouble. */
  isHarmless?: true;
};

const ofClerk =
  (kind: Extract<OfficeAct, { clerk: number }>['kind']) => (random: SeededRandom, clerks: number) => ({
    kind,
    clerk: random.integer(clerks),
  });
const alone = (kind: Exclude<OfficeAct, { clerk: number }>['kind']) => () => ({ kind });

const CHANCES: Chance[] = [
  { name: 'refunds', percent: 60, most: 3, act: ofClerk('ask'), isHarmless: true },
  { name: 'approvals', percent: 80, most: 4, act: ofClerk('approve'), isHarmless: true },
  { name: 'withdrawals', percent: 12, most: 1, act: ofClerk('withdraw'), isHarmless: true },
  { name: 'send-agains', percent: 20, most: 1, act: ofClerk('send-again') },
  { name: 'refund-reviews', percent: 25, most: 2, act: ofClerk('decide') },
  { name: 'disputes', percent: 5, most: 1, act: ofClerk('dispute') },
  { name: 'hand-refunds', percent: 10, most: 2, act: alone('hand-refund') },
  { name: 'hand-voids', percent: 6, most: 1, act: alone('hand-void') },
  { name: 'unvoids', percent: 5, most: 1, act: alone('unvoid') },
  { name: 'lowers', percent: 15, most: 2, act: alone('lower') },
  { name: 'pays-again', percent: 15, most: 1, act: alone('pay-again') },
  { name: 'restores', percent: 3, most: 1, act: alone('restore') },
  { name: 'comparisons', percent: 10, most: 1, act: alone('compare'), isHarmless: true },
  { name: 'batches', percent: 60, most: 1, act: alone('batches'), isHarmless: true },
  { name: null, percent: 100, most: 2, act: alone('sweep'), isHarmless: true },
];

/** Draws a day. Acts that aren't allowed are drawn and dropped, so that the rest stays the same. */
export function drawOfficeDay(
  random: SeededRandom,
  {
    isCalm,
    isAllowed,
    clerks,
  }: { isCalm: boolean; isAllowed: (name: TroubleName) => boolean; clerks: number },
): OfficeRound[] {
  return Array.from({ length: LEAST_ROUNDS + random.integer(4) }, (_, round) => {
    const wait = random.pick(WAITS);
    const isNight = random.percent(8) && isAllowed('night') && !isCalm;
    const acts = CHANCES.flatMap(({ name, percent, most, act, isHarmless }) => {
      const count = random.percent(percent) ? 1 + random.integer(most) : 0;
      const drawn = Array.from({ length: count }, () => act(random, clerks));
      return (name === null || isAllowed(name)) && (isHarmless || !isCalm) ? drawn : [];
    });
    return { seconds: round === 0 ? 0 : isNight ? NIGHT_SECONDS : wait, acts };
  });
}
