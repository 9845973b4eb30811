import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

/** An invoice of 108.25, paid by card. */
const paid = (id: number) => `
  INSERT INTO invoice (id, franchise_id, location_id, work_order_number, service, amount_cents, tax_cents, tax_rate_ppm,
                       tips_enabled, paid_cents, paid_tax_cents)
  OVERRIDING SYSTEM VALUE VALUES (${id}, 1, 1, ${id}, 'windows', 10825, 825, 82500, false, 10825, 825);
  INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, state)
  VALUES ('${uuid(id)}', '${uuid(id)}', 1, 10825, 'order-${id}', 'captured');
  INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents, services_tax_cents,
                                 tip_cents, priced_version)
  VALUES ('${uuid(id)}', ${id}, 10000, 825, 0, 0, 0, 1);`;

/** A refund that is being sent. */
const sent = (id: number, of: number, effect: string, invoiceCents: number, taxCents: number) => `
  INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state, method, sent_at, deadline_at)
  VALUES ('${uuid(id)}', '${uuid(id)}', '${uuid(of)}', ${invoiceCents + taxCents}, 'r0000000000000000000000${id}', 'sending',
          'refund', now(), now());
  INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                           services_tax_cents, tip_cents, effect)
  VALUES ('${uuid(id)}', '${uuid(of)}', ${of}, ${invoiceCents}, ${taxCents}, 0, 0, 0, '${effect}');`;

const make = (id: number) => `
  UPDATE refund SET state = 'made', made_at = now(), transaction_key = 'key-${id}' WHERE id = '${uuid(id)}'`;

const says = (amount: number, tax: number) =>
  `UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax}`;

test('counts credits once that were on their way or made before', async () => {
  await beforeMigration('0060-credited-once.sql', async ({ admin, migrate, plant }) => {
    const told = async () => {
      const { rows } = await admin.query(
        `SELECT amount_cents || ' ' || tax_cents || ' ' || paid_cents AS sums FROM invoice ORDER BY id`,
      );
      return rows.map(({ sums }) => sums);
    };
    await plant(
      ...[1, 2, 3].map(paid),
      ...[1, 3].map((id) => sent(id, id, 'credited', 18_48, 1_52)),
      sent(2, 2, 'due-again', 18_48, 1_52),
    );
    await admin.query(make(3));
    await admin.query(says(88_25, 6_73));
    await plant(sent(4, 3, 'credited', 9_24, 76));
    await admin.query(make(4));
    await migrate();
    for (const id of [1, 2]) await admin.query(make(id));
    expect(await told()).toEqual(['8825 673 8825', '8825 673 8825', '7825 597 7825']);
    await admin.query(`UPDATE refund SET undone_at = now() WHERE id = '${uuid(3)}'`);
    await admin.query(says(108_25, 8_25));
    expect(await told()).toEqual(['8825 673 8825', '10825 825 8825', '9825 749 9825']);
    const { rows } = await admin.query(`SELECT * FROM broken_balances('{1,3}') WHERE rule LIKE 'RH%'`);
    expect(rows).toEqual([]);
  });
});
