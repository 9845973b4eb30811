import type { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { advanceEngineClock } from './books.ts';
import { useEmulator } from './emulator.ts';
import { usePaymentsApp } from './factories/payments.ts';
import { makeUser } from './factories/users.ts';
import { callOffice, importRows, officeRow } from './office.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const row = officeRow();

type CallName = keyof typeof OFFICE_ENDPOINTS;
type Answer = { statusCode: number };

const post = (path: string, body: object) => callOffice(portal, 'POST', path, { body });
const put = (path: string, body: object) => callOffice(portal, 'PUT', path, { body });
const customer = `/customers/${row.franchiseId}/${row.customerNumber}`;
const invoice = `/invoices/${row.franchiseId}/${row.workOrderNumber}`;
const keys = { apiKey: 'a key', pin: '1234', publicKey: '_public' };

/** Writes, each once in a way that succeeds: one line a call. */
const WRITES: Partial<Record<CallName, () => Promise<Answer>>> = {
  import: () => importRows(portal, [{ ...row, amount: '120.00' }]),
  franchise: () => put(`/franchises/${row.franchiseId}`, { phone: '312-555-0100' }),
  testKeys: () => post(`/franchises/${row.franchiseId}/gateway/test`, keys),
  switchUser: async () => {
    const { email } = await makeUser(portal);
    return put(`/users/${email}`, { active: false });
  },
  reconcile: async () => {
    await advanceEngineClock(portal.deps, 61);
    return post('/reconcile', {});
  },
  acknowledgeDifference: async () => {
    const { rows } = await portal.deps.db.query.execute<{ id: number }>(sql`
      INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
      SELECT 'not-in-our-books', min(id), 'made-up', '', 100 FROM merchant_account RETURNING id`);
    return post(`/differences/${rows[0]?.id}/acknowledge`, { note: 'Looked at.' });
  },
  noteInvoice: () => post(`${invoice}/notes`, { text: 'Called.' }),
  noteCustomer: () => post(`${customer}/notes`, { text: 'Called.' }),
  inviteToCustomer: () => post(`${customer}/invitations`, { email: 'new@example.com' }),
};

beforeAll(async () => {
  await importRows(portal, [row]);
});

const countActs = async () => {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM audit_event`,
  );
  return rows[0]?.count ?? 0;
};

describe('what an office does', () => {
  test.each(Object.entries(WRITES))('%s leaves one row in the audit', async (_name, write) => {
    const before = await countActs();
    const answer = await write();
    expect(answer.statusCode).toBeLessThan(300);
    expect(await countActs()).toBe(before + 1);
  });
});
