import { randomUUID } from 'node:crypto';
import { sweepCharges } from '../../../../../apps/api/test/books/sweep.ts';
import type { SimulationRig } from '../rig.ts';
import type { World } from '../world/world.ts';
import { hear, pay } from './pay.ts';

/** Whatever went wrong, a due invoice can be paid and a paid one can't. Returns violations. */
export async function tryToPayTheRest(
  { deps, emulator, admin }: SimulationRig,
  world: World,
): Promise<string[]> {
  const [invoice] = world.invoices;
  if (!invoice) return [];
  const { rows } = await admin.query<{ isDue: boolean }>(
    'SELECT balance_cents > 0 AS "isDue" FROM invoice WHERE id = $1',
    [invoice.invoiceId],
  );
  const payer = { address: randomUUID(), user: null, invoices: [invoice], servicesCents: 0 };
  const paymentKey = await emulator.mintPaymentKey({ merchant: invoice.merchant });
  const heard = hear(await pay(deps, payer, { idempotencyKey: randomUUID(), paymentKey, tipCents: 0 }));
  await sweepCharges(deps);
  const expected = rows[0]?.isDue ? 'paid' : 'already paid';
  return heard === expected ? [] : [`whoever pays afterwards should hear "${expected}" and hears "${heard}"`];
}
