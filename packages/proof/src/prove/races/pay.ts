import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { call, type TestApp } from '../../../../../apps/api/test/build-test-app.ts';
import { guestSale } from '../../../../../apps/api/test/factories/payments/payments.ts';
import {
  makeUnpaidInvoices,
  portalSale,
  type UnpaidInvoice,
} from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { linkLocation, startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Round } from '../attack.ts';
import { type Heard, readAnswer } from './heard.ts';
import type { Customer, People } from './people.ts';

export type Press = { path: string; body: unknown; key: string; token?: string };

/** Presses Pay at a random instance, within the next 50 ms. */
export async function press(rig: People, { random }: Round, pressed: Press): Promise<Heard> {
  const instance = random.pick(rig.instances);
  await wait(random.integer(51));
  return pressAt(rig, instance, pressed);
}

export async function pressAt(
  rig: People,
  instance: TestApp,
  { path, body, key, token }: Press,
): Promise<Heard> {
  const answer = await call(instance, 'POST', path, {
    body,
    headers: { 'idempotency-key': key },
    ...(token && { token }),
  });
  const told = readAnswer(key, { status: answer.statusCode, body: answer.json() });
  rig.told.push(told);
  return told;
}

/** A guest's request, with a fresh payment key, as each press of Pay makes one. */
export async function asGuest(
  { emulator }: People,
  [invoice]: UnpaidInvoice[],
  key: string = randomUUID(),
): Promise<Press> {
  if (!invoice) throw new Error('a guest pays one invoice');
  const body = await guestSale(emulator, invoice, { merchant: invoice.account });
  return { path: '/usaepay/guestsale', body, key };
}

/** A customer's request, in a session of its own. */
export async function asCustomer(
  { instances: [{ deps }] }: People,
  { userId, paymentMethodId }: Customer,
  invoices: UnpaidInvoice[],
  key: string = randomUUID(),
): Promise<Press> {
  const { accessToken } = await startSessionOf(deps, { userId });
  const body = portalSale(invoices, { paymentMethodId });
  return { path: '/usaepay/customerportalsale', body, key, token: accessToken };
}

/** Unpaid invoices on that many merchant accounts, at locations that these customers share. */
export async function makeSharedInvoices(
  { instances: [portal], franchises }: People,
  customers: Customer[],
  { invoices }: { invoices: number },
): Promise<UnpaidInvoice[]> {
  const [owner, ...others] = customers;
  if (!owner) throw new Error('invoices need a customer');
  const made = await makeUnpaidInvoices(portal, { user: owner, franchises, invoices });
  for (const { userId } of others) {
    for (const { locationId } of made) await linkLocation(portal, { userId, locationId });
  }
  return made;
}

export async function mustBePaidOnce(
  { instances: [{ deps }] }: Pick<People, 'instances'>,
  invoices: Pick<UnpaidInvoice, 'invoiceId'>[],
): Promise<void> {
  const { rows } = await deps.db.pool.query<{ invoice_id: number; accepted: number }>(
    `SELECT i.id AS invoice_id,
            (SELECT count(*)::integer FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
              WHERE a.invoice_id = i.id AND c.state IN ('accepted', 'captured')) AS accepted
       FROM invoice i WHERE i.id = ANY($1)`,
    [invoices.map(({ invoiceId }) => invoiceId)],
  );
  for (const { invoice_id, accepted } of rows) {
    if (accepted !== 1) throw new Error(`invoice ${invoice_id} was paid ${accepted} times`);
  }
}
