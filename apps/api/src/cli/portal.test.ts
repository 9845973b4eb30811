import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../../../tools/machine/find-free-port.ts';
import { openAccounts } from '../../test/books/sweep.ts';
import { useTestApp } from '../../test/build-test-app.ts';
import { useCommandLine } from '../../test/command-line.ts';
import { importRows, officeRow, toCsv } from '../../test/office/office.ts';
import { makeStaff } from '../../test/office/office-people.ts';
import { listOf } from '../db/query.ts';
import { outgoingMail } from '../db/schema/operations.ts';

const portal = useTestApp();
const commandLine = useCommandLine(portal);
const { run } = commandLine;

// No background task runs here, so leftovers of earlier tests would be late after a minute, and the tasks themselves
// some minutes after the database was made.
beforeEach(async () => {
  await portal.deps.db.query.delete(outgoingMail);
  await portal.deps.db.pool.query('UPDATE background_lane SET done_slot = engine_now()');
});
beforeAll(() => openAccounts(portal.deps));

async function fileOf(name: string, content: string): Promise<string> {
  await writeFile(join(commandLine.folder, name), content);
  return name;
}

describe('portal import', () => {
  test('imports a file and prints the result', async () => {
    const rows = [officeRow(), officeRow()];
    const file = await fileOf('october.csv', toCsv(rows));
    expect(await run(['import', file])).toEqual({
      code: 0,
      output: 'Imported october.csv: 2 created, 0 updated, 0 unchanged.\n',
      complaint: '',
    });
    const json = await fileOf('october.json', JSON.stringify({ rows }));
    expect((await run(['import', json])).output).toBe(
      'Imported october.json: 0 created, 0 updated, 2 unchanged.\n',
    );
  });

  test('names overpaid invoices', async () => {
    const row = officeRow({ paidElsewhere: '110.5' });
    const { output } = await run(['import', await fileOf('overpaid.csv', toCsv([row]))]);
    expect(output).toContain(
      `Overpaid: franchise ${row.franchiseId}, work order ${row.workOrderNumber}, by $2.25.\n`,
    );
  });

  test('names the bad lines of a file, and fails', async () => {
    const file = await fileOf('bad.csv', toCsv([officeRow(), officeRow({ amount: 'x' })]));
    expect(await run(['import', file])).toEqual({
      code: 1,
      output: '',
      complaint:
        'One line is wrong, so nothing was imported.\n' +
        '  line 3: amount "x" must be dollars such as 108.25, from 0 to 99999999.99\n',
    });
  });

  test('repeats what a file says without obeying it', async () => {
    const file = await fileOf('odd.csv', toCsv([officeRow({ amount: 'x\u009b2J\u202e' })]));
    const { code, complaint } = await run(['import', file]);
    expect(code).toBe(1);
    expect(complaint).toContain('amount "x\\u009b2J\\u202e" must be dollars');
  });

  test('finds a file relative to the folder in which npm was called', async () => {
    await fileOf('here.csv', toCsv([]));
    const { output } = await run(['import', 'here.csv'], { INIT_CWD: commandLine.folder });
    expect(output).toBe('Imported here.csv: 0 created, 0 updated, 0 unchanged.\n');
  });

  test.each([
    ['no file', ['import'], 2, 'Name one file to import.'],
    ['two files', ['import', 'a.csv', 'b.csv'], 2, 'Name one file to import.'],
    ['a file that is not there', ['import', 'nowhere.csv'], 1, 'There is no file '],
    ['a folder', ['import', '.'], 1, 'is not a file.'],
    ['an unknown option', ['import', '--force', 'a.csv'], 2, "Unknown option '--force'"],
  ])('%s fails with a sentence', async (_what, args, expected, sentence) => {
    const { code, complaint } = await run(args);
    expect(code).toBe(expected);
    expect(complaint).toContain(sentence);
    expect(complaint).not.toContain('    at ');
  });
});

describe('portal invite', () => {
  test('invites a customer by mail', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const args = [
      '--franchise',
      row.franchiseId,
      '--customer',
      row.customerNumber,
      '--email',
      'ana@example.com',
    ];
    expect(await run(['invite', ...args])).toEqual({
      code: 0,
      output: `Invited ana@example.com to customer ${row.customerNumber} of franchise ${row.franchiseId}.\n`,
      complaint: '',
    });
    const { rows } = await portal.deps.db.query.execute(
      sql`SELECT kind FROM outgoing_mail WHERE recipient = 'ana@example.com'`,
    );
    expect(rows).toEqual([{ kind: 'invitation' }]);
  });

  test.each([
    [
      'a missing option',
      ['--franchise', '1', '--customer', '2'],
      2,
      'Say --franchise N --customer N --email E.',
    ],
    [
      'an address that is none',
      ['--franchise', '1', '--customer', '2', '--email', 'ana'],
      1,
      'Please enter a valid email address.',
    ],
    ['an unknown customer', ['--franchise', '1', '--customer', '2', '--email', 'ana@example.com'], 1, ''],
  ])('%s fails with a sentence', async (_what, args, expected, sentence) => {
    const { code, complaint } = await run(['invite', ...args]);
    expect(code).toBe(expected);
    expect(complaint).toContain(sentence);
    expect(complaint).toMatch(/^\S.+\.\n/);
  });
});

describe('portal status', () => {
  test('fails when mail that is due is not sent', async () => {
    await portal.deps.db.query.execute(sql`
      INSERT INTO outgoing_mail (kind, recipient, content, next_try_at)
      VALUES ('invitation', 'ana@example.com', '{}', clock_timestamp() - interval '2 minutes')`);
    const { code, output, complaint } = await run(['status']);
    expect(code).toBe(1);
    expect(output).toMatch(/\nMail late +1\n/);
    expect(complaint).toBe('Mail is due and not sent: do the background tasks run?\n');
  });

  test('ends as always if nobody reads to the end', async () => {
    expect(await run(['status'], {}, { reads: false })).toEqual({ code: 0, output: '', complaint: '' });
  });

  test('fails while staff or keys of offices are held, and not for whoever left', async () => {
    const { query } = portal.deps.db;
    const held = await Promise.all([
      makeStaff(portal, { role: 'support' }),
      makeStaff(portal, { role: 'support' }),
    ]);
    await makeStaff(portal, { role: 'support' });
    await query.execute(sql`
      UPDATE staff SET held_at = engine_now() WHERE id = ANY(${listOf(
        held.map(({ staffId }) => staffId),
        'uuid',
      )})`);
    await query.execute(sql`
      INSERT INTO office_api_key (public_id, name, key_hash, rights, held_at, revoked_at)
      VALUES ('Chicago1', 'Chicago', '1', '{view}', engine_now(), NULL), ('Chicago2', 'Chicago', '2', '{view}', engine_now(), engine_now())`);
    const { code, output, complaint } = await run(['status']);
    expect(code).toBe(1);
    expect(output).toMatch(/\nAccess held +2 people and 1 key\n/);
    expect(complaint).toBe(
      'Access is held, for 2 people and 1 key: npm run portal -- staff list, then staff confirm-all\n',
    );
    await query.execute(sql`UPDATE staff SET state = 'off'`);
    await query.execute(sql`UPDATE office_api_key SET held_at = NULL WHERE revoked_at IS NULL`);
    expect(await run(['status'])).toMatchObject({ code: 0, complaint: '' });
  });

  test('says what is open', async () => {
    const { code, output } = await run(['status']);
    expect(code).toBe(0);
    expect(output).toMatch(/^Portal +ready\nLast import +\d{4}-/);
    expect(output).toMatch(/\nCharges in review +0\n/);
  });
});

describe('whatever the command', () => {
  test('names the address of a portal that does not answer', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    const { code, complaint } = await run(['status'], { PUBLIC_URL: nowhere });
    expect(code).toBe(1);
    expect(complaint).toContain(`The portal does not answer at ${nowhere} (`);
  });

  test('uses the port of this machine if only that is set', async () => {
    const { code } = await run(['status'], { PUBLIC_URL: '', PORT: new URL(commandLine.url).port });
    expect(code).toBe(0);
  });

  test('says that a key is unknown', async () => {
    const { code, complaint } = await run(['status'], { OFFICE_API_KEY: 'another-key' });
    expect(code).toBe(1);
    expect(complaint).toBe(`The portal at ${commandLine.url} does not know this OFFICE_API_KEY.\n`);
  });

  test.each([
    [['status', '--nonsense']],
    [['reconcile', 'nonsense']],
    [['found', 'nonsense']],
    [['credits', 'nonsense']],
    [['payment-page-check', '--url', 'nonsense']],
  ])('%j exits with 2, so that a monitor does not take it for work that waits', async (args) => {
    const { code, complaint } = await run(args);
    expect(code).toBe(2);
    expect(complaint).not.toContain('    at ');
  });

  test.each([
    ['no command', [], 2],
    ['an unknown command', ['pay'], 2],
    ['--help', ['--help'], 0],
    ['help for a command', ['import', '--help'], 0],
  ])('prints its usage for %s', async (_what, args, expected) => {
    const { code, output, complaint } = await run(args);
    expect(code).toBe(expected);
    expect(output + complaint).toContain('npm run portal -- import FILE');
  });
});
