import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase } from '../../test/database/postgres.ts';

const folder = new URL('./migrations/', import.meta.url);
const OURS = '0017-credits-and-secrets.sql';

test('changes a credit limit of 100 to 25 only if nobody set it', async () => {
  const database = await createEmptyDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  try {
    const before = readdirSync(folder).filter((name) => name.endsWith('.sql') && name < OURS);
    for (const name of before.toSorted()) await admin.query(readFileSync(new URL(name, folder), 'utf8'));
    await admin.query(`
      INSERT INTO franchise (id, name, time_zone, max_credit_percent) VALUES
        (1, 'untouched', 'UTC', 100), (2, 'set to 100', 'UTC', 100), (3, 'set to 40', 'UTC', 40),
        (4, 'set to nothing', 'UTC', 0), (22, 'of another number', 'UTC', 100);
      INSERT INTO audit_event (actor, action, subject, detail) VALUES
        ('office', 'change-franchise', 'franchise 1', '{"settings": ["phone"]}'),
        ('office', 'change-franchise', 'franchise 2', '{"settings": ["email", "maxCreditPercent"]}'),
        ('office', 'change-franchise', 'franchise 3', '{"settings": ["maxCreditPercent"]}')`);
    await admin.query(readFileSync(new URL(OURS, folder), 'utf8'));
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
  } finally {
    await admin.end();
    await database.drop();
  }
});
