import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

const payment = (id: number, state: string, decidedAt: string) => `
  INSERT INTO payment_intent (id, kind, idem_scope, idem_key, request_hash, deadline_at, state, decided_at)
  VALUES ('${uuid(id)}', 'portal', 'portal', '${id}', '', now(), '${state}', '${decidedAt}')`;

const charge = (id: number, of: number, state: string, acceptedAt: string | null) => `
  INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, state, accepted_at)
  VALUES ('${uuid(id)}', '${uuid(of)}', ${id}, 10825, 'order-${id}', '${state}', ${acceptedAt && `'${acceptedAt}'`})`;

const [ACCEPTED, FAILED] = ['2025-12-30', '2026-01-05'];

test('puts payments whose capture failed back on the day of their acceptance, where they stay', async () => {
  await beforeMigration('0063-a-payments-day.sql', async ({ admin, migrate, plant }) => {
    await plant(
      payment(1, 'accepted', FAILED),
      charge(3, 1, 'captured', ACCEPTED),
      charge(4, 1, 'capture_failed', ACCEPTED),
      payment(2, 'accepted', FAILED),
      charge(5, 2, 'captured', FAILED),
      payment(6, 'abandoned', FAILED),
      charge(7, 6, 'absent', null),
    );
    const days = async () => {
      const { rows } = await admin.query(
        `SELECT decided_at::date::text AS day FROM payment_intent ORDER BY id`,
      );
      return rows.map(({ day }) => day);
    };
    await migrate();
    expect(await days()).toEqual([ACCEPTED, FAILED, FAILED]);
    // As the release before writes it.
    await admin.query(
      `UPDATE payment_intent SET decided_at = now() WHERE id IN ('${uuid(1)}', '${uuid(2)}')`,
    );
    expect(await days()).toEqual([ACCEPTED, FAILED, FAILED]);
  });
});
