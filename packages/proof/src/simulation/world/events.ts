import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { TroubleName } from '../bounds.ts';

/** What happens beside the payments. */
export type Event =
  | { kind: 'sweep' }
  /** The nightly comparison of both books. */
  | { kind: 'compare' }
  /** Somebody at the portal works through the review list with random decisions. */
  | { kind: 'review' }
  /** The engine's clock jumps ahead. */
  | { kind: 'clock'; seconds: number }
  /** The office adds a dollar to an invoice. */
  | { kind: 'raise'; invoiceId: number }
  /** Somebody at the provider releases a hold, captures one, makes one of their own, or closes the day's batch. */
  | { kind: 'void' | 'capture' | 'stray' | 'batch' };

const LAST_STEP = 200;
/** Longer than a charge may stay unfinished before it goes to review. */
const NIGHT_SECONDS = 25 * 60 * 60;

/** Draws events and their times. Those that aren't allowed are drawn and dropped, so that the rest stays the same. */
export function drawEvents(
  random: SeededRandom,
  {
    invoices,
    isCalm,
    isAllowed,
  }: {
    invoices: readonly { invoiceId: number }[];
    isCalm: boolean;
    isAllowed: (name: TroubleName) => boolean;
  },
): (Event & { atStep: number })[] {
  const some = (name: TroubleName, count: number, event: () => Event) => {
    const drawn = Array.from({ length: count }, () => ({ ...event(), atStep: random.integer(LAST_STEP) }));
    return isAllowed(name) ? drawn : [];
  };
  const sometimes = (chance: number, most: number) => (random.percent(chance) ? 1 + random.integer(most) : 0);
  const harmless = [
    ...some('sweeps', random.integer(3), () => ({ kind: 'sweep' })),
    ...some('comparisons', sometimes(35, 2), () => ({ kind: 'compare' })),
  ];
  if (isCalm) return harmless;
  const nights = sometimes(15, 1);
  return [
    ...harmless,
    ...some('clock', sometimes(60, 3), () => ({ kind: 'clock', seconds: 5 + random.integer(80) })),
    ...some('night', nights, () => ({ kind: 'clock', seconds: NIGHT_SECONDS })),
    // After a night there is something to review.
    ...some('reviews', sometimes(nights > 0 ? 80 : 20, 3), () => ({ kind: 'review' })),
    ...some('sweeps', nights > 0 ? 2 : 0, () => ({ kind: 'sweep' })),
    ...some('raises', sometimes(20, 1), () => ({
      kind: 'raise',
      invoiceId: random.pick(invoices).invoiceId,
    })),
    ...some('voids', sometimes(25, 2), () => ({ kind: 'void' })),
    ...some('captures', sometimes(12, 2), () => ({ kind: 'capture' })),
    ...some('strays', sometimes(15, 2), () => ({ kind: 'stray' })),
    ...some('batches', sometimes(10, 1), () => ({ kind: 'batch' })),
  ];
}
