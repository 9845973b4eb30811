import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

/** An invoice of which a payer took 10.83 off, by a charge in that state. */
const credited = (id: number, state: string) => `
  INSERT INTO invoice (id, franchise_id, location_id, work_order_number, service, amount_cents, tax_cents, tax_rate_ppm,
                       tips_enabled)
  OVERRIDING SYSTEM VALUE VALUES (${id}, 1, 1, ${id}, 'windows', 10825, 825, 82500, false);
  INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, state)
  VALUES ('${uuid(id)}', '${uuid(id)}', 1, 9742, 'order-${id}', '${state}');
  INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents, services_tax_cents,
                                 tip_cents, priced_version)
  VALUES ('${uuid(id)}', ${id}, 10000, 825, -1000, -83, 0, 1);`;

/** Half of it goes back. */
const refunded = (id: number, refundId: number, undoneAt: string) => `
  INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state, method, sent_at, deadline_at, made_at,
                      transaction_key, undone_at)
  VALUES ('${uuid(refundId)}', '${uuid(refundId)}', '${uuid(id)}', 4871, 'r0000000000000000000000${refundId}', 'made',
          'refund', now(), now(), now(), 'key-${refundId}', ${undoneAt});
  INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                           services_tax_cents, tip_cents, effect)
  VALUES ('${uuid(refundId)}', '${uuid(id)}', ${id}, 5000, 413, -500, -42, 0, 'due-again');`;

test('sums up what is left of the credits that were taken before', async () => {
  await beforeMigration('0057-credits-left.sql', async ({ admin, migrate, plant }) => {
    const states = ['accepted', 'captured', 'captured', 'capture_failed', 'refused'];
    await plant(
      ...states.map((state, index) => credited(index + 1, state)),
      refunded(2, 6, 'NULL'),
      refunded(3, 7, 'now()'),
    );
    await migrate();
    const { rows } = await admin.query('SELECT id, credits_left_cents AS "left" FROM invoice ORDER BY id');
    expect(rows.map(({ left }) => Number(left))).toEqual([10_83, 5_41, 10_83, 0, 0]);
  });
});
