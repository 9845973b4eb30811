import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { TestApp } from '../../build-test-app.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { makeOfficeCaller } from '../../factories/office-keys.ts';
import { makePayment } from '../../factories/payments/decided-payments.ts';
import type { Step } from '../recorder.ts';

/** Without what differs between runs. */
const nameOf = (filter: string) => filter.replace(/[0-9a-f-]{20,}|\d{3,}/g, 'n');

const RIGHTS = ['view', 'invite', 'export', 'refund'] as const;

/** The console's calls about payments, for one office and for all. */
export async function useConsolePayments(portal: TestApp, step: Step): Promise<void> {
  const db = portal.deps.db.query;
  const invoice = await makeInvoice(db);
  const given = {
    invoices: [invoice],
    at: new Date(Date.now() - 60_000).toISOString(),
    payerEmail: 'a@example.com',
  };
  const { paymentId, orderId, chargeId } = await makePayment(portal.deps, { ...given, servicesCents: -5_00 });
  const { rows } = await db.execute<{
    franchiseId: number;
    lastFour: string;
    workOrder: number;
    payer: string;
  }>(sql`
    SELECT s.franchise_id AS "franchiseId", s.last_four AS "lastFour", i.work_order_number AS "workOrder",
           p.payer_email AS payer
      FROM payment_share s JOIN charge_allocation a ON a.charge_id = s.charge_id JOIN invoice i ON i.id = a.invoice_id
      JOIN payment_intent p ON p.id = s.intent_id
     WHERE s.outcome = 'accepted' AND s.last_four IS NOT NULL AND p.payer_email IS NOT NULL
     ORDER BY (SELECT count(*) FROM payment_intent other WHERE lower(other.payer_email) = lower(p.payer_email)), s.charge_id LIMIT 1`);
  const [booked = { franchiseId: 0, lastFour: '', workOrder: 0, payer: '' }] = rows;
  const callers = {
    'an office': await makeOfficeCaller(portal, { franchiseId: booked.franchiseId, rights: [...RIGHTS] }),
    'all offices': await makeOfficeCaller(portal, { rights: [...RIGHTS] }),
  };
  const filters = [
    '',
    'order=oldest',
    'from=2026-10-01&to=2026-10-31',
    'state=paid',
    'state=declined',
    'state=failed',
    'state=review',
    'state=credit',
    'method=amex',
    'minAmount=120.00&maxAmount=120.00',
    'minAmount=120',
    `franchiseId=${booked.franchiseId}`,
    `search=${booked.lastFour}`,
    `search=%23${booked.workOrder}`,
    `search=ref+b${booked.workOrder}`,
    'search=owner4017@',
    `search=${booked.payer}`,
    'search=noor+haddad',
    'search=about+$120+yesterday',
    'search=$120',
    `search=${orderId}`,
    `search=${paymentId}`,
  ];
  for (const [who, caller] of Object.entries(callers)) {
    for (const filter of filters) {
      const get = (path: string) => caller('GET', `${path}?${filter}`);
      await step(`payments of ${who}, ${nameOf(filter)}`, () => get('/payments'));
      // Sums read up to twice as many rows as a page.
      await step(`sums of ${who}, ${nameOf(filter)}`, () => get('/payments/summary'));
    }
    for (const search of [booked.payer, `clean+${booked.payer}`]) {
      const named = search === booked.payer ? 'who paid them' : 'a word and who paid them';
      await step(`invoices of ${who} by ${named}`, () => caller('GET', `/invoices?search=${search}`));
    }
  }
  const own = await makeOfficeCaller(portal, { franchiseId: invoice.franchiseId, rights: [...RIGHTS] });
  const post = (path: string, body: object) =>
    own('POST', path, { body, headers: { 'idempotency-key': randomUUID() } });
  await step('an export of payments', () => own('GET', '/payments.csv'));
  await step('the page of a payment', () => own('GET', `/payments/${paymentId}`));
  await step('a receipt sent again', () =>
    post(`/payments/${paymentId}/receipt`, { email: 'a@example.com' }),
  );
  await step('a receipt sent where it went', () => post(`/payments/${paymentId}/receipt`, {}));
  await step('a note on a payment', () => post(`/payments/${paymentId}/notes`, { text: 'Called' }));
  const credit = `/credits/${invoice.franchiseId}/${chargeId}/${invoice.workOrderNumber}/looked-at`;
  await step('a credit looked at', () => post(credit, {}));
}
