import { expect, test } from 'vitest';
import { beforeMigration } from '../../test/database/before-migration.ts';

test('gives a franchise the place that JavaScript read in an abbreviation', async () => {
  await beforeMigration('0075-zones-with-a-place.sql', async ({ admin, migrate }) => {
    const zones = ['CET', 'cst', 'EST', 'IST', 'UTC', 'Japan', 'America/Denver'];
    await admin.query(
      `INSERT INTO franchise (id, name, time_zone)
       SELECT n, zone, zone FROM unnest($1::text[]) WITH ORDINALITY AS given (zone, n)`,
      [zones],
    );
    const place = (name: string | undefined) =>
      new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    await migrate();
    const { rows } = await admin.query('SELECT time_zone AS zone FROM franchise ORDER BY id');
    expect(rows.map(({ zone }) => zone)).toEqual([
      place('CET'),
      place('CST'),
      place('EST'),
      'IST',
      'UTC',
      'Japan',
      'America/Denver',
    ]);
  });
});
