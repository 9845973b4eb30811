import { PROVABLE_DECISIONS } from '@brightpane/contract/office/review-decisions';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { listReview } from '../../../../../apps/api/src/modules/payments/review/list-review.ts';
import { reviewCharge } from '../../../../../apps/api/src/modules/payments/review/review-charge.ts';
import { OFFICE_KEY_ID } from '../../../../../apps/api/test/office/office.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { SimulatedInvoice } from '../world/world.ts';

type Options = { invoices: readonly SimulatedInvoice[]; random: SeededRandom };

/** Works through these invoices' part of the review list with random decisions. A testimony drawn at random would be a lie. */
export async function reviewAtRandom(deps: Deps, { invoices, random }: Options): Promise<void> {
  for (const chargeId of await listReviewOf(deps, invoices)) {
    await reviewCharge(deps, {
      chargeId,
      decision: random.pick(PROVABLE_DECISIONS),
      actor: { id: null, name: 'somebody' },
    });
  }
}

/** Reviews correctly: releases holds, and closes what was captured by hand and corrected at the provider. */
export async function reviewWithCare(
  deps: Deps,
  { invoices }: Pick<Options, 'invoices'>,
): Promise<'nothing to do' | 'done'> {
  const listed = await listReviewOf(deps, invoices);
  for (const chargeId of listed) {
    const release = await reviewCharge(deps, {
      chargeId,
      decision: 'release',
      actor: { id: null, name: 'the office' },
    });
    if (!release.ok)
      await reviewCharge(deps, { chargeId, decision: 'close', actor: { id: null, name: 'the office' } });
  }
  return listed.length > 0 ? 'done' : 'nothing to do';
}

/** In the order of what they are about, since ids are random. */
async function listReviewOf(deps: Deps, invoices: readonly SimulatedInvoice[]): Promise<string[]> {
  const listed = await listReview(deps, { actorId: OFFICE_KEY_ID });
  return invoices.flatMap(({ franchiseId, workOrderNumber }) =>
    listed
      .filter(
        ({ workOrders: [first] }) =>
          first?.franchiseId === franchiseId && first.workOrderNumber === workOrderNumber,
      )
      .map(({ chargeId }) => chargeId),
  );
}
