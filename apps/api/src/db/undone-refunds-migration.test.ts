import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

const uuid = (id: number) => `00000000-0000-4000-8000-00000000000${id}`;

/** A refund that was made, and the provider's record of it, as its list last showed it. */
const made = (id: number, { undoneAt, type }: { undoneAt: string; type: 'C' | 'Z' }) => `
  INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state, method, sent_at, deadline_at, made_at,
                      undone_at, transaction_key)
  VALUES ('${uuid(id)}', '${uuid(id)}', '${uuid(9)}', 500, 'r0000000000000000000000${id}', 'made', 'refund', now(), now(),
          now(), ${undoneAt}, 'key-${id}');
  INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk, refund_id)
  VALUES ('key-${id}', 1, 'order', 500, '${type}', '', '${uuid(id)}');`;

test('lets undone refunds go of their transactions, live again or not', async () => {
  await beforeMigration('0076-an-undone-refund-lets-go.sql', async ({ admin, migrate, plant }) => {
    await plant(
      made(1, { undoneAt: 'NULL', type: 'C' }),
      made(2, { undoneAt: 'now()', type: 'Z' }),
      made(3, { undoneAt: 'now()', type: 'C' }),
    );
    await migrate();
    const { rows } = await admin.query(`
      SELECT transaction_key AS key, type, refund_id IS NULL AS "isFree" FROM seen_refund ORDER BY 1`);
    expect(rows).toEqual([
      { key: 'key-1', type: 'C', isFree: false },
      { key: 'key-2', type: 'Z', isFree: true },
      { key: 'key-3', type: 'C', isFree: true },
    ]);
  });
});
