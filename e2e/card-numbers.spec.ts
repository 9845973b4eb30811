import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CANARIES, CARD_NUMBERS, expectRefused, typeEverywhere } from './card-number-steps.ts';
import { fillNewCard } from './card-steps.ts';
import {
  acceptTerms,
  cardFrame,
  expectPaid,
  fillAll,
  fillCard,
  GOOD_CARD,
  importInvoice,
  openInvoice,
  pressPay,
  waitForCardField,
} from './guest-payment-steps.ts';
import { choose, importInvoices, makeCustomer, payButton, workOrder } from './portal-steps.ts';
import { startAnotherPortal } from './support/another-portal.ts';
import { findCardNumbers } from './support/card-numbers/card-number-scan.ts';
import {
  dumpDatabase,
  findInMemory,
  readAllMail,
  readBrowserStorage,
  readFolder,
  readLogs,
  readWriteAheadLog,
} from './support/card-numbers/card-number-sinks.ts';
import { readMail } from './support/mailbox.ts';
import { signIn } from './support/people.ts';
import { RecordingProxy } from './support/recording-proxy.ts';
import { ReportReceiver } from './support/report-receiver.ts';
import { systemUnderTest } from './support/system.ts';
import { test as base, expect } from './support/test.ts';

/** A portal whose requests, answers, log and error reports are all recorded. */
type Watched = {
  proxy: RecordingProxy;
  receiver: ReportReceiver;
  logFile: string;
  temporaryFolder: string;
  pid: number;
  database: pg.Client;
};

const test = base.extend<{ watched: Watched }>({
  watched: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'brightpane-card-numbers-'));
    const logFile = join(folder, 'portal.log');
    const receiver = await new ReportReceiver().start();
    const proxy = await new RecordingProxy().start();
    const temporaryFolder = join(folder, 'temporary');
    await mkdir(temporaryFolder);
    const settings = {
      SENTRY_DSN: receiver.dsn,
      LOG_LEVEL: 'trace',
      PUBLIC_URL: proxy.url,
      TMPDIR: temporaryFolder,
    };
    const portal = await startAnotherPortal(settings, { logFile });
    proxy.passTo(portal.url);
    const database = new pg.Client({ connectionString: systemUnderTest().databaseUrl });
    await database.connect();
    await use({ proxy, receiver, logFile, temporaryFolder, pid: portal.pid, database });
    await database.end();
    await proxy.stop();
    await portal.stop();
    await receiver.stop();
    await rm(folder, { recursive: true });
  },
  baseURL: async ({ watched }, use) => {
    await use(watched.proxy.url);
  },
});

const CAN_LOOK_INTO_MEMORY = process.platform === 'linux';

// It starts its own portal, and searches nine places for the content of nine forms.
test.describe.configure({ timeout: 300_000 });

test('a card number that is typed anywhere never reaches us', async ({ page, request, office, watched }) => {
  const { proxy, receiver, logFile, temporaryFolder, pid, database } = watched;
  const kept: string[] = [];
  const keepStorage = async () => kept.push(await readBrowserStorage(page));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  /** Types card numbers into every field of this button's form, sends it, and expects each field's error. */
  const beCareless = async (button: string) => {
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled();
    const typed = await typeEverywhere(page);
    await press(button);
    await expectRefused(page, typed);
    await keepStorage();
  };

  await test.step('while looking an invoice up', async () => {
    await page.goto('/guest-payment');
    await beCareless('Find Invoice');
    await expect(page).toHaveURL('/guest-payment');
  });

  const invoice = await importInvoice(office);
  await test.step('while paying as a guest', async () => {
    await openInvoice(page, invoice);
    await waitForCardField(page);
    for (const number of CARD_NUMBERS) {
      await cardFrame(page).getByLabel('Card number').fill(number);
      await cardFrame(page).getByLabel('CVV').fill('123');
    }
    await press('Add services');
    await press('Custom');
    await page.getByLabel('Additional services amount').fill('10');
    const typed = await typeEverywhere(page);
    await fillCard(page);
    await acceptTerms(page);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await expectRefused(page, typed);
    await keepStorage();

    await openInvoice(page, invoice);
    await fillAll(page, { email: `guest.${invoice.workOrderNumber}@example.com` });
    await pressPay(page, '$108.25');
    await expectPaid(page, '$108.25');
    await keepStorage();
  });

  await test.step('without an account', async () => {
    await page.goto('/login');
    await beCareless('Sign in');
    await page.getByRole('link', { name: 'Forgot password' }).click();
    await expect(page).toHaveURL('/forgot-password');
    await beCareless('Send email');
    await page.goto('/register');
    await beCareless('Sign up');
    await page.goto('/resetpassword?e=zoe%40example.com&t=made-up');
    await beCareless('Reset password');
    await page.goto('/invitation?e=zoe%40example.com&t=made-up');
    await beCareless('Accept Invite');
  });

  const invoices = await importInvoices(office, {});
  await test.step('with an account', async () => {
    await signIn(page, await makeCustomer(request, { invoices, cards: [GOOD_CARD] }));
    const [open] = invoices;
    if (open === undefined) throw new Error('there is no invoice to pay');
    await choose(page, open);
    await workOrder(page, open).getByRole('button', { name: 'Add services' }).click();
    await workOrder(page, open).getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('Additional services amount').fill('10');
    const typed = await typeEverywhere(page);
    await acceptTerms(page);
    await payButton(page).click();
    await expectRefused(page, typed);
    await keepStorage();

    await page.goto('/locations/add');
    await beCareless('Add Location');
    await page.goto('/payment-methods/add');
    await fillNewCard(page);
    await beCareless('Add Payment Method');
  });
  // By then, mails and reports that were on their way have arrived.
  await readMail({ to: `guest.${invoice.workOrderNumber}@example.com`, subject: 'Receipt' });
  await page.goto('/');

  const sinks: Record<string, () => Promise<string>> = {
    requests: async () => proxy.recorded.requests.join('\n'),
    answers: async () => proxy.recorded.answers.join('\n'),
    logs: () => readLogs(logFile),
    database: () => dumpDatabase(database),
    mail: readAllMail,
    reports: async () => receiver.transcript,
    temporary: () => readFolder(temporaryFolder),
    browser: async () => [...kept, await readBrowserStorage(page)].join('\n'),
  };
  const found = await findIn(sinks, CARD_NUMBERS);
  for (const [name, { length }] of Object.entries(found.texts))
    expect(length, `read of ${name}`).toBeGreaterThan(2);
  expect(found.numbers).toEqual({
    requests: [],
    answers: [],
    logs: [],
    database: [],
    mail: [],
    reports: [],
    temporary: [],
    browser: [],
  });
  expect(await findInMemory(pid, CARD_NUMBERS)).toEqual(CAN_LOOK_INTO_MEMORY ? [] : null);
  for (const segment of await readWriteAheadLog(database)) {
    expect(CARD_NUMBERS.filter((number) => segment.includes(number))).toEqual([]);
  }

  await test.step('and would be found in each of these places', async () => {
    const { visa, master, amex, discover, diners, jcb, unionPay, maestro } = CANARIES;
    const site = createServer((_request, response) =>
      response.end(`{"note":"${master.replace(/(\d{4})(?=\d)/g, '$1-')}"}`),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const before = await new RecordingProxy().start();
    before.passTo(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    await fetch(`${before.url}/look-up?note=${visa.replace(/(\d{4})(?=\d)/g, '$1%20')}`);
    await before.stop();
    site.close();
    Object.assign(sinks, {
      requests: async () => before.recorded.requests.join('\n'),
      answers: async () => before.recorded.answers.join('\n'),
    });
    await appendFile(logFile, `{"msg":"\\u003${amex[0]}${amex.slice(1)}"}\n`);
    await database.query('BEGIN');
    await database.query(`CREATE TABLE canary AS SELECT $1::text::bytea AS note`, [discover]);
    await sendMail(`naïve ${diners}`);
    await report(receiver, Buffer.from(`{"card":"${jcb}"}`).toString('base64'));
    await writeFile(join(temporaryFolder, 'note'), unionPay);
    await page.evaluate((number) => sessionStorage.setItem('note', encodeURIComponent(`${number} `)), visa);

    // Each look reads the whole database.
    await expect
      .poll(async () => (await findIn(sinks, Object.values(CANARIES))).numbers, { timeout: 120_000 })
      .toEqual({
        requests: [visa],
        answers: [master],
        logs: [amex],
        database: [discover],
        mail: [diners],
        reports: [jcb],
        temporary: [unionPay],
        browser: [visa],
      });
    // Refused, but still in memory until overwritten, which may be at once.
    const findRefused = async () => {
      await request.post(`${watched.proxy.url}/api/user/invoice/search?${maestro}`, {
        data: { note: maestro },
      });
      return findInMemory(pid, [maestro]);
    };
    if (CAN_LOOK_INTO_MEMORY) await expect.poll(findRefused).toEqual([maestro]);
    await database.query('ROLLBACK');
  });
});

/** Returns which of these card numbers are in which place. */
async function findIn(
  sinks: Record<string, () => Promise<string>>,
  sought: readonly string[],
): Promise<{ texts: Record<string, string>; numbers: Record<string, string[]> }> {
  const texts: Record<string, string> = {};
  const numbers: Record<string, string[]> = {};
  for (const [name, read] of Object.entries(sinks)) {
    texts[name] = await read();
    numbers[name] = findCardNumbers(texts[name], sought);
  }
  return { texts, numbers };
}

/** Reports an error with this text, as a portal would. */
async function report({ origin }: ReportReceiver, message: string): Promise<void> {
  const payload = JSON.stringify({ message });
  await fetch(`${origin}/api/1/envelope/`, {
    method: 'POST',
    body: `{}\n${JSON.stringify({ type: 'event', length: Buffer.byteLength(payload) })}\n${payload}\n`,
  });
}

/** Sends a mail with this text to the mailbox, encoded like any mail. */
async function sendMail(text: string): Promise<void> {
  const { hostname, port } = new URL(systemUnderTest().portalSettings.SMTP_URL ?? '');
  const socket = connect(Number(port), hostname);
  const mail = [
    'From: canary@example.com',
    'To: canary@example.com',
    'Subject: canary',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text).toString('base64'),
    '.',
  ].join('\r\n');
  const lines = [
    'EHLO canary',
    'MAIL FROM:<canary@example.com>',
    'RCPT TO:<canary@example.com>',
    'DATA',
    mail,
  ];
  await once(socket, 'data');
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    await once(socket, 'data');
  }
  socket.end('QUIT\r\n');
}
