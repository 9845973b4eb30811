import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { SimulationRig } from '../rig.ts';
import { NO_TROUBLE } from '../world/trouble.ts';
import type { World } from '../world/world.ts';
import { lookAtInvoices } from './look-at-invoices.ts';
import { pay } from './pay.ts';
import { type Told, tellOf } from './told.ts';

/** Longer than any payment's deadline: by then it has ended, or whoever asks may end it. */
const LONGEST_PAYMENT_SECONDS = 66;

/**
 * After the troubles, before any task runs: payers without a certain answer who don't give up press Pay once more, past
 * the payment's deadline.
 */
export async function comeBack(
  { admin, deps, emulator, instances }: SimulationRig,
  world: World,
  told: Told[],
): Promise<Told[]> {
  instances.trouble = NO_TROUBLE;
  await advanceEngineClock(deps, LONGEST_PAYMENT_SECONDS);
  const again: Told[] = [];
  for (const payer of world.payers) {
    const last = told.findLast((each) => each.payer === payer.name);
    if (!payer.comesBack || last?.heard !== 'nothing certain') continue;
    const { idempotencyKey, tipCents } = last;
    const seen = await lookAtInvoices(admin, payer);
    const merchant = payer.invoices[0]?.merchant ?? 'portal';
    const paymentKey = payer.user ? '' : await emulator.mintPaymentKey({ card: payer.card, merchant });
    const begin = performance.now();
    // An instance that went through all of it, with what it remembers.
    const instance = instances.at(again.length % world.skews.length);
    const answer = await pay(instance.deps, payer, { idempotencyKey, tipCents, paymentKey, seen });
    again.push({
      payer: payer.name,
      idempotencyKey,
      tipCents,
      seen,
      isLastTry: true,
      ...tellOf(answer, begin),
    });
  }
  return again;
}
