import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { useCommandLine } from '../../../test/command-line.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { makeStaff, OFFICE_SETTINGS } from '../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const commandLine = useCommandLine(portal);
const staff = (...args: string[]) =>
  commandLine.run(['staff', ...args], { OPERATOR_KEY: OFFICE_SETTINGS.OPERATOR_KEY });

describe('portal staff', () => {
  test('adds the first admin, prints the link, and lists everybody', async () => {
    const added = await staff('add', '--email', 'First@staff.example', '--role', 'admin');
    expect(added).toMatchObject({ code: 0, complaint: '' });
    expect(added.output).toMatch(
      /\nhttps:\/\/office\.example\.com\/office\/welcome\?e=first%40staff\.example&t=/,
    );
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    await staff('add', '--email', 'second@staff.example', '--role', 'clerk', '--franchise', `${franchiseId}`);
    expect((await staff('list')).output).toBe(
      'first@staff.example  admin  every franchise  invited\n' +
        `second@staff.example  clerk  ${franchiseId}  invited\n`,
    );
  });

  test('switches somebody off, and resets factors', async () => {
    const { email } = await makeStaff(portal, { role: 'support' });
    expect((await staff('reset-factors', '--email', email)).code).toBe(0);
    expect((await staff('off', '--email', email)).output).toBe(`Switched ${email} off.\n`);
    expect((await staff('off', '--email', 'nobody@staff.example')).complaint).toBe(
      'Nobody of the staff has the address nobody@staff.example.\n',
    );
  });

  test('confirms after a restore, and says so of whom nobody waits for', async () => {
    const { email } = await makeStaff(portal, { role: 'support' });
    const confirm = (...args: string[]) => staff('confirm', ...args);
    expect((await commandLine.run(['restored'])).output).toContain(
      '\nStaff and the offices’ keys wait until you confirm them: npm run portal -- staff list, then staff confirm-all.\n',
    );
    expect((await staff('list')).output).toContain(`${email}  support  every franchise  held\n`);
    expect(await confirm('--email', email)).toMatchObject({ code: 0, output: `Confirmed ${email}.\n` });
    for (const [option, who, named] of [
      ['--email', email, email],
      ['--email', 'nobody@staff.example', 'nobody@staff.example'],
      ['--key', 'Nothing1', 'the key bpo_Nothing1'],
    ] as const)
      expect(await confirm(option, who)).toEqual({
        code: 1,
        output: '',
        complaint: `Nothing was confirmed: ${named} does not wait for it.\n`,
      });
    expect((await staff('list')).output).toContain(`${email}  support  every franchise  active\n`);
    expect((await staff('confirm-all')).output).toMatch(/^Confirmed \d+ (person|people) and 0 keys\.\n$/);
  });

  test.each([
    [
      ['add', '--email', 'a@b.example', '--role', 'clerk'],
      'An office role needs at least one --franchise N.',
    ],
    [
      ['add', '--email', 'a@b.example', '--role', 'admin', '--franchise', '11'],
      'Headquarters see every franchise: leave --franchise out.',
    ],
    [
      ['add', '--email', 'a@b.example', '--role', 'boss'],
      'A role is one of admin, finance, support, owner, clerk, viewer.',
    ],
    [['add'], 'Say --email E --role R.'],
    [['confirm-all', '--email', 'a@b.example'], "Unknown option '--email'"],
    [['list', '--role', 'admin'], "Unknown option '--role'"],
    [['off', '--email', 'a@b.example', '--franchise', '11'], "Unknown option '--franchise'"],
    [['dance'], 'Say what to do: add, list, off, reset-factors, confirm-all, confirm, demo-link.'],
    [['toString'], 'Say what to do: add, list, off, reset-factors, confirm-all, confirm, demo-link.'],
  ])('fails %j with a sentence and exits with 2', async (args, complaint) => {
    expect(await staff(...args)).toEqual({ code: 2, output: '', complaint: `${complaint}\n` });
  });

  test.each([
    [['staff', 'add', '--email', 'x@staff.example', '--role', 'admin']],
    [['staff', 'list']],
    [['staff', 'confirm-all']],
    [['moved', '--from', 'https://earlier.example.com']],
  ])('says that %j needs the operator’s key', async (command) => {
    expect(await commandLine.run(command)).toEqual({
      code: 1,
      output: '',
      complaint: 'This needs OPERATOR_KEY: set it for the portal and for this command.\n',
    });
  });
});
