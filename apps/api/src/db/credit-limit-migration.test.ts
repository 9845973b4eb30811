import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

test('changes a credit limit of 100 to 25 only if nobody set it', async () => {
  await beforeMigration('0017-credits-and-secrets.sql', async ({ admin, migrate }) => {
    await admin.query(`
      INSERT INTO franchise (id, name, time_zone, max_credit_percent) VALUES
        (1, 'untouched', 'UTC', 100), (2, 'set to 100', 'UTC', 100), (3, 'set to 40', 'UTC', 40),
        (4, 'set to nothing', 'UTC', 0), (22, 'of another number', 'UTC', 100);
      INSERT INTO audit_event (actor, action, subject, detail) VALUES
        ('office', 'change-franchise', 'franchise 1', '{"settings": ["phone"]}'),
        ('office', 'change-franchise', 'franchise 2', '{"settings": ["email", "maxCreditPercent"]}'),
        ('office', 'change-franchise', 'franchise 3', '{"settings": ["maxCreditPercent"]}')`);
    await migrate();
    await admin.query(`INSERT INTO franchise (id, name, time_zone) VALUES (30, 'new', 'UTC')`);
    const { rows } = await admin.query('SELECT id, max_credit_percent AS percent FROM franchise ORDER BY id');
    expect(rows).toEqual([
      { id: 1, percent: 25 },
      { id: 2, percent: 100 },
      { id: 3, percent: 40 },
      { id: 4, percent: 0 },
      { id: 22, percent: 25 },
      { id: 30, percent: 25 },
    ]);
  });
});
