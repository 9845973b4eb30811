import { randomUUID } from 'node:crypto';
import { call } from '../../../../../apps/api/test/build-test-app.ts';
import type { CrashAnswer, CrashingPortal } from '../../../../../apps/api/test/crashes/crash-processes.ts';
import { guestSale } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeUnpaidInvoices,
  portalSale,
  type UnpaidInvoice,
} from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type Heard, hear } from '../../simulation/people/pay.ts';
import type { Kind } from '../provider-faults/payments.ts';
import type { CrashRig } from './rig.ts';

/** What somebody wants to pay. */
export type Payment = { kind: Kind; invoices: UnpaidInvoice[]; key: string };

export async function newPayment(rig: CrashRig, kind: Kind): Promise<Payment> {
  const { customer, franchises, portal } = rig;
  const used = kind === 'three' ? franchises : franchises.slice(0, 1);
  const invoices = await makeUnpaidInvoices(portal, {
    user: customer,
    franchises: used,
    invoices: used.length,
  });
  rig.run.invoices.push(...invoices);
  return { kind, invoices, key: randomUUID() };
}

/** What a payer was told; `answer` is null if the process died before it was complete. */
export type Press = { heard: Heard; answer: CrashAnswer | null };

/** Presses Pay, by default at the surviving portal, and records what the payer was told. */
export async function press(
  rig: CrashRig,
  { kind, invoices, key }: Payment,
  { at, ...given }: { at?: CrashingPortal; key?: string } = {},
): Promise<Press> {
  const { emulator, customer, portal, run } = rig;
  const [invoice] = invoices;
  if (!invoice) throw new Error('nothing to pay');
  const options = { key: given.key ?? key, ...(kind !== 'guest' && { token: customer.token }) };
  const body =
    kind === 'guest'
      ? await guestSale(emulator, invoice, { email: customer.email })
      : portalSale(invoices, { paymentMethodId: customer.paymentMethodId });
  const path = kind === 'guest' ? '/usaepay/guestsale' : '/usaepay/customerportalsale';
  const answer = at ? await at.post(path, body, options) : await post(portal, path, body, options);
  const heard = hear(answer as never);
  run.told.push({ key: options.key, heard });
  return { heard, answer };
}

async function post(
  portal: CrashRig['portal'],
  path: string,
  body: unknown,
  { key, token }: { key: string; token?: string },
): Promise<CrashAnswer> {
  const headers = { 'idempotency-key': key };
  const answer = await call(portal, 'POST', path, { body, headers, ...(token && { token }) });
  const replayed = answer.headers['idempotency-replayed'] === 'true';
  return { status: answer.statusCode, body: answer.json(), replayed };
}

/** Pays in a new attempt, as a payer may who was told "not charged". */
export async function payAnew(rig: CrashRig, payment: Payment): Promise<void> {
  mustBe(await press(rig, payment, { key: randomUUID() }), 'paid');
}

export function mustBe({ heard, answer }: Press, ...expected: Heard[]): void {
  if (expected.includes(heard)) return;
  throw new Error(`heard "${heard}" (${JSON.stringify(answer)}), not "${expected.join('" or "')}"`);
}
