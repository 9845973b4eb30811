import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

/** 20.53 with 1.69 tax of it, and a payer's credit of 2.05 with 0.17 tax, on their way back. */
const asked = (id: number) => `
  INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state)
  VALUES ('${uuid(id)}', '${uuid(id)}', '${uuid(1)}', 2000, 'r0000000000000000000000${id}', 'waiting');
  INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                           services_tax_cents, tip_cents, effect)
  VALUES ('${uuid(id)}', '${uuid(1)}', 1, 2053, 169, -205, -17, 0, 'credited');
  UPDATE refund_line l SET (uncredited_cents, uncredited_tax_cents) = (SELECT u.cents, u.tax_cents FROM uncredited(l) AS u)
   WHERE refund_id = '${uuid(id)}';`;

test('books credits that were on their way as they would have been', async () => {
  await beforeMigration('0062-credits-at-once.sql', async ({ admin, migrate, plant }) => {
    const make = async (id: number) => {
      await plant(
        `UPDATE refund SET state = 'sending', method = 'refund', sent_at = now(), deadline_at = now() WHERE id = '${uuid(id)}'`,
      );
      await admin.query(
        `UPDATE refund SET state = 'made', made_at = now(), transaction_key = 'key-${id}' WHERE id = '${uuid(id)}'`,
      );
      const { rows } = await admin.query(
        `SELECT amount_cents || ' ' || tax_cents || ' ' || paid_cents AS sums FROM invoice`,
      );
      return rows[0]?.sums;
    };
    // The office has copied the credit of 10.83 into the amount.
    await plant(
      `INSERT INTO franchise (id, name, time_zone) VALUES (1, 'Bright North', 'UTC');
       INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code)
       VALUES (1, 1, 1, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704');
       INSERT INTO invoice (id, franchise_id, location_id, work_order_number, service, amount_cents, tax_cents, tax_rate_ppm,
                            tips_enabled, paid_cents, paid_tax_cents, credits_left_cents)
       OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 1, 'windows', 9742, 742, 82500, false, 10825, 825, 1083);
       INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, state)
       VALUES ('${uuid(1)}', '${uuid(1)}', 1, 9742, 'order-1', 'captured');
       INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents, services_tax_cents,
                                      tip_cents, priced_version)
       VALUES ('${uuid(1)}', 1, 10000, 825, -1000, -83, 0, 1);`,
      asked(2),
      asked(3),
    );
    await migrate();
    expect([await make(2), await make(3)]).toEqual(['7742 590 8603', '5520 421 6381']);
    const { rows } = await admin.query(`SELECT * FROM broken_balances('{1}') WHERE rule LIKE 'RH%'`);
    expect(rows).toEqual([]);
  });
});
