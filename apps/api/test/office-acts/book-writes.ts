import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { advanceEngineClock } from '../books/engine-clock.ts';
import type { TestApp } from '../build-test-app.ts';
import type { TestEmulator } from '../emulator.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makePayment } from '../factories/payments/decided-payments.ts';
import { guestSale, payAsGuest } from '../factories/payments/payments.ts';
import { leaveUnresolved } from '../factories/payments/reviewed-charges.ts';
import { linkCustomer, makeUser } from '../factories/users.ts';
import { callOffice, importRows, officeRow } from '../office/office.ts';
import type { Writes } from './writes.ts';

/** Offices' acts on invoices, customers and payments; with a key, which needs no second factor. */
export function bookWrites(portal: TestApp, emulator: TestEmulator): Writes {
  const query = async <Row extends Record<string, unknown>>(statement: ReturnType<typeof sql>) =>
    (await portal.deps.db.query.execute<Row>(statement)).rows[0];
  const post = (path: string, body?: unknown) => callOffice(portal, 'POST', path, { body });
  const del = (path: string) => callOffice(portal, 'DELETE', path);
  /** Imports a customer with an invoice. */
  const importOne = async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const { franchiseId, customerNumber, workOrderNumber } = row;
    return {
      row,
      franchiseId: Number(franchiseId),
      customerNumber: Number(customerNumber),
      customer: `/customers/${franchiseId}/${customerNumber}`,
      invoice: `/invoices/${franchiseId}/${workOrderNumber}`,
    };
  };
  const invite = async () => {
    const { customer } = await importOne();
    const made = await post(`${customer}/invitations`, { email: 'new@example.com' });
    return `${customer}/invitations/${made.json<{ invitationId: string }>().invitationId}`;
  };
  const makePerson = async () => {
    const { customer, franchiseId, customerNumber } = await importOne();
    const found = await query<{ id: number }>(
      sql`SELECT id FROM customer WHERE franchise_id = ${franchiseId} AND number = ${customerNumber}`,
    );
    const { userId } = await makeUser(portal);
    await linkCustomer(portal, { userId, customerId: found?.id ?? 0 });
    return `${customer}/people/${userId}`;
  };
  const leaveCharge = () =>
    leaveUnresolved(portal, {
      emulator,
      isHeld: false,
      pay: async () => payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query))),
    });
  const makeCredit = async () => {
    const invoice = await makeInvoice(portal.deps.db.query);
    const { chargeId } = await makePayment(portal.deps, {
      invoices: [invoice],
      servicesCents: -10_00,
      note: 'Less',
    });
    return { invoice, chargeId };
  };
  const keys = { apiKey: 'a key', pin: '1234', publicKey: '_public' };

  return {
    import: async () => {
      const { row } = await importOne();
      return () => importRows(portal, [{ ...row, amount: '120.00' }]);
    },
    franchise: async () => {
      const { franchiseId } = await importOne();
      return () =>
        callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body: { phone: '312-555-0100' } });
    },
    testKeys: async () => {
      const { franchiseId } = await importOne();
      return () => post(`/franchises/${franchiseId}/gateway/test`, keys);
    },
    switchUser: async () => {
      const { email } = await makeUser(portal);
      return () => callOffice(portal, 'PUT', `/users/${email}`, { body: { active: false } });
    },
    reconcile: async () => {
      await advanceEngineClock(portal.deps, 61);
      return () => post('/reconcile', {});
    },
    decide: async () => {
      const chargeId = await leaveCharge();
      return () => post(`/review/${chargeId}/close`);
    },
    decideCharge: async () => {
      const chargeId = await leaveCharge();
      return () => post(`/review/${chargeId}`, { decision: 'close', note: 'Nobody will find it.' });
    },
    acknowledgeDifference: async () => {
      const made = await query<{ id: number }>(sql`
        INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
        SELECT 'not-in-our-books', min(id), ${randomUUID()}, '', 100 FROM merchant_account RETURNING id`);
      return () => post(`/differences/${made?.id}/acknowledge`, { note: 'Looked at.' });
    },
    acknowledgeFoundPayment: async () => {
      const orderId = randomUUID().slice(0, 13);
      await query(sql`
        INSERT INTO found_payment (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
        SELECT ${orderId}, 'key', min(id), '1', 100, 'captured', false FROM merchant_account RETURNING order_id`);
      return () => post(`/found-payments/${orderId}/settle`);
    },
    creditSeen: async () => {
      const { invoice, chargeId } = await makeCredit();
      const made = await query<{ id: number }>(sql`
        INSERT INTO unmailed_credit (charge_id, invoice_id) VALUES (${chargeId}, ${invoice.invoiceId}) RETURNING id`);
      return () => post(`/credits/${made?.id}/seen`, {});
    },
    lookAtCredit: async () => {
      const { invoice, chargeId } = await makeCredit();
      return () =>
        post(`/credits/${invoice.franchiseId}/${chargeId}/${invoice.workOrderNumber}/looked-at`, {});
    },
    sendReceipt: async () => {
      const { paymentId } = await makePayment(portal.deps);
      return () => post(`/payments/${paymentId}/receipt`, { email: 'ana@example.com' });
    },
    requestRefund: async () => {
      const { paymentId, invoices } = await makePayment(portal.deps);
      const { franchiseId, workOrderNumber } = invoices[0] ?? { franchiseId: 0, workOrderNumber: 0 };
      const body = {
        reason: 'complaint',
        lines: [{ franchiseId, workOrderNumber, amount: 10, effect: 'due-again' }],
      };
      return () =>
        callOffice(portal, 'POST', `/payments/${paymentId}/refunds`, {
          body,
          headers: { 'idempotency-key': paymentId },
        });
    },
    addPaymentNote: async () => {
      const { paymentId } = await makePayment(portal.deps);
      return () => post(`/payments/${paymentId}/notes`, { text: 'Called.' });
    },
    noteInvoice: async () => {
      const { invoice } = await importOne();
      return () => post(`${invoice}/notes`, { text: 'Called.' });
    },
    noteCustomer: async () => {
      const { customer } = await importOne();
      return () => post(`${customer}/notes`, { text: 'Called.' });
    },
    invite: async () => {
      const { franchiseId, customerNumber } = await importOne();
      return () => post('/invitations', { franchiseId, customerNumber, email: 'new@example.com' });
    },
    inviteToCustomer: async () => {
      const { customer } = await importOne();
      return () => post(`${customer}/invitations`, { email: 'new@example.com' });
    },
    withdrawInvitation: async () => {
      const path = await invite();
      return () => del(path);
    },
    endAccess: async () => {
      const path = await makePerson();
      return () => del(path);
    },
    mailPerson: async () => {
      const path = await makePerson();
      return () => post(`${path}/mails`, { kind: 'reset' });
    },
    undoFile: async () => {
      const { franchiseId } = await importOne();
      const made = await query<{ id: string }>(
        sql`SELECT import_id AS id FROM office_import_count WHERE franchise_id = ${franchiseId}`,
      );
      return () => callOffice(portal, 'GET', `/imports/${made?.id}/undo.csv`);
    },
    statementFile: async () => {
      const { customer } = await importOne();
      return () => callOffice(portal, 'GET', `${customer}/statement.csv?from=2026-01-01&to=2026-12-31`);
    },
  };
}
