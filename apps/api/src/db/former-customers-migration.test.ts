import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

test('gives a present customer the invoices that name it as the former one', async () => {
  await beforeMigration('0078-invoices-that-came-back.sql', async ({ admin, migrate, plant }) => {
    await plant(
      `INSERT INTO franchise (id, name, time_zone) VALUES (1, 'Bright North', 'UTC');
       INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code)
       VALUES (1, 1, 7, 'Home', 'Maple Street 12', 'Springfield', 'IL', '62704');
       INSERT INTO invoice (franchise_id, location_id, work_order_number, service, amount_cents, tax_cents, tax_rate_ppm,
                            tips_enabled, former_customer_id)
       SELECT 1, (SELECT id FROM location), number, 'windows', 10825, 825, 82500, false, former
         FROM (VALUES (1, NULL), (2, 7), (3, 8)) AS made (number, former);`,
    );
    await migrate();
    const { rows } = await admin.query(
      'SELECT work_order_number AS number, former_customer_id AS former FROM invoice ORDER BY 1',
    );
    expect(rows.map(({ number, former }) => [Number(number), former && Number(former)])).toEqual([
      [1, null],
      [2, null],
      [3, 8],
    ]);
  });
});
