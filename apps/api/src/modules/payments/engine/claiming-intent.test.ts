import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { insertClaimingIntent } from './payments.queries.ts';

const portal = useTestApp();

async function arrange() {
  const { invoiceId, franchiseId } = await makeInvoice(portal.deps.db.query);
  const id = randomUUID();
  return {
    id,
    kind: 'guest' as const,
    userId: null,
    idempotency: { scope: 'guest:1:1', key: id, requestHash: 'hash' },
    seconds: 25,
    payerEmail: null,
    publicUrl: portal.deps.env.PUBLIC_URL,
    franchiseIds: [franchiseId],
    seen: null,
    invoiceIds: [invoiceId],
  };
}

async function claimsOf({ id }: { id: string }): Promise<unknown[]> {
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT c.state FROM payment_intent p LEFT JOIN invoice_claim c ON c.intent_id = p.id WHERE p.id = ${id}`,
  );
  return rows;
}

test('a payment is stored with its claims', async () => {
  const intent = await arrange();
  const stored = await portal.deps.db.briefTransaction((tx) => insertClaimingIntent(tx, intent));
  expect(stored).toMatchObject({ intentId: intent.id, claimed: 1 });
  expect(await claimsOf(intent)).toEqual([{ state: 'live' }]);
});

test('a payment whose key is taken is not stored, and claims nothing', async () => {
  const intent = await arrange();
  await portal.deps.db.briefTransaction((tx) => insertClaimingIntent(tx, intent));
  const { invoiceIds } = await arrange();
  const again = { ...intent, id: randomUUID(), invoiceIds };
  expect(await portal.deps.db.briefTransaction((tx) => insertClaimingIntent(tx, again))).toBeUndefined();
  expect(await claimsOf(again)).toEqual([]);
});

test('a claim that was sent behind a BEGIN that failed stores nothing', async () => {
  const intent = await arrange();
  expect(await insertClaimingIntent(portal.deps.db.query, intent)).toBeUndefined();
  expect(await claimsOf(intent)).toEqual([]);
});
