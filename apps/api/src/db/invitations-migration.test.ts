import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

/** An invitation whose first mail was sent `firstDays` ago, and whose newest one `lastDays` ago. */
const sent = (email: string, { firstDays, lastDays }: { firstDays: number; lastDays: number }) => `
  INSERT INTO invitation (customer_id, email, created_at, expires_at)
  VALUES (1, '${email}', now() - interval '${firstDays} days', now() + interval '14 days' - interval '${lastDays} days');`;

test('gives a pending invitation the time at which it was sent anew', async () => {
  await beforeMigration('0082-invitations-sent-anew.sql', async ({ admin, migrate, plant }) => {
    await plant(
      sent('again@example.com', { firstDays: 40, lastDays: 3 }),
      sent('expired@example.com', { firstDays: 40, lastDays: 20 }),
      sent('once@example.com', { firstDays: 3, lastDays: 3 }),
    );
    await migrate();
    const { rows } = await admin.query(
      `SELECT email, extract(day FROM now() - renewed_at)::integer AS days FROM invitation ORDER BY 1`,
    );
    expect(rows).toEqual([
      { email: 'again@example.com', days: 3 },
      { email: 'expired@example.com', days: null },
      { email: 'once@example.com', days: null },
    ]);
  });
});
