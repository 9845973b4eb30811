import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../src/db/client.ts';
import { adoptedPayment } from '../../src/db/schema/payments.ts';
import type { Deps } from '../../src/deps.ts';
import { mintOffer } from '../../src/modules/offers/offer-token.ts';
import { sweep } from '../books/sweep.ts';
import { call, type TestApp } from '../build-test-app.ts';
import type { Payments } from '../use-payments.ts';
import { makeInvoice, nextNumber } from './invoices.ts';
import { makePayment } from './payments/decided-payments.ts';
import { TEST_PASSWORD } from './users.ts';

/** A guest's payment whose answer has an offer. A replay returns the same offer. */
export async function payWithOffer(
  { guestPays, portal, db }: Pick<Payments, 'guestPays' | 'portal' | 'db'>,
  { isSwept = true, ...given }: Parameters<typeof makeInvoice>[1] & { isSwept?: boolean } = {},
) {
  const made = await makeInvoice(db(), given);
  const headers = { 'idempotency-key': `key-${made.workOrderNumber}` };
  const press = () => guestPays(made, { headers });
  const { offer, ...answer } = (await press()).json();
  if (typeof offer !== 'string') throw new Error(`no offer: ${JSON.stringify(answer)}`);
  if (isSwept) await sweep(portal.deps);
  return { made, offer, press };
}

/** Makes the offer of a guest's payment with the right zip code, without a provider. */
export async function makeOffer(
  deps: Deps,
): Promise<{ offer: string; intentId: string; locationId: number }> {
  const made = await makeInvoice(deps.db.query);
  const { locationId } = made;
  const { rows } = await deps.db.query.execute<{ now: string }>(sql`SELECT engine_now()::text AS now`);
  const { paymentId: intentId } = await makePayment(deps, { invoices: [made], at: rows[0]?.now ?? '' });
  return { offer: mintOffer(deps, { intentId, locationId, zipKey: made.zipCode }), intentId, locationId };
}

export const giveOffer = (portal: TestApp, token: string) =>
  call(portal, 'POST', '/authentication/offer', { body: { token } });

export const useOfferOf = (portal: TestApp, offer: string, { token }: { token: string }) =>
  call(portal, 'POST', '/user/offer', { token, body: { token: offer } });

export const freshPayer = () => ({
  email: `payer${nextNumber()}@example.com`,
  firstName: 'Ana',
  lastName: 'Ruiz',
  password: TEST_PASSWORD,
});

export const registerByOffer = (
  portal: TestApp,
  token: string,
  person: Partial<ReturnType<typeof freshPayer>> = {},
) =>
  call(portal, 'POST', '/authentication/offer/register', {
    body: { token, ...freshPayer(), ...person },
  });

/** Who took an invoice's payment into their account, and how. */
export async function adopterOf(db: Queryable, { invoiceId }: { invoiceId: number }) {
  const rows = await db
    .select({ userId: adoptedPayment.userId, through: adoptedPayment.through })
    .from(adoptedPayment)
    .where(
      eq(
        adoptedPayment.intentId,
        sql`(SELECT c.intent_id FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
              WHERE a.invoice_id = ${invoiceId} AND charge_counts(c.state))`,
      ),
    );
  return rows[0];
}
