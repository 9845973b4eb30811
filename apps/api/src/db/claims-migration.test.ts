import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

/** An accepted payment of one invoice, with `claim` as its claim's state. */
const payment = (id: number, claim: string) => `
  INSERT INTO invoice (id, franchise_id, location_id, work_order_number, service, amount_cents, tax_cents, tax_rate_ppm,
                       tips_enabled)
  OVERRIDING SYSTEM VALUE VALUES (${id}, 1, 1, ${id}, 'windows', 100, 0, 0, false);
  INSERT INTO payment_intent (id, kind, idem_scope, idem_key, request_hash, deadline_at, state)
  VALUES ('00000000-0000-4000-8000-00000000000${id}', 'guest', 'guest', '${id}', '', now(), 'accepted');
  INSERT INTO invoice_claim (invoice_id, intent_id, state)
  VALUES (${id}, '00000000-0000-4000-8000-00000000000${id}', '${claim}');`;

test('reads a claim that ended as settled as paid, before and after the migration', async () => {
  await beforeMigration('0026-claims-end-as-paid.sql', async ({ admin, migrate }) => {
    const brokenClaims = async () => {
      const { rows } = await admin.query(`SELECT subject FROM invariant_violations WHERE rule LIKE 'I3 %'`);
      return rows;
    };
    await admin.query(`
      INSERT INTO franchise (id, name, time_zone) VALUES (1, 'one', 'UTC');
      INSERT INTO customer (id, franchise_id, number, name) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 'Ana');
      INSERT INTO location (id, franchise_id, number, customer_id, description, address_line1, city, state, zip_code)
      OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 1, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704');`);
    await admin.query(payment(1, 'settled'));
    await migrate();
    expect(await brokenClaims()).toEqual([]);
    await admin.query(payment(2, 'settled'));
    await admin.query(payment(3, 'paid'));
    expect(await brokenClaims()).toEqual([]);
    await admin.query(payment(4, 'freed'));
    expect(await brokenClaims()).toEqual([{ subject: 'payment 00000000-0000-4000-8000-000000000004' }]);
  });
});
