import { setTimeout as wait } from 'node:timers/promises';

import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { makeCharge } from '../../../../../apps/api/test/factories/payments/charges.ts';
import { startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Attack } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { codesOf } from '../races/heard.ts';
import { asGuest, makeSharedInvoices } from '../races/pay.ts';
import type { HangsBench } from './bench.ts';

const HOUR_SECONDS = 3_600;
const RECEIPTS = 40;
const MOST_CONNECTIONS = 8;
const MOST_REPORTS_WAITING = 70;
const MOST_GROWTH_BYTES = 150e6;

type Hanging = {
  what: 'mail server' | 'merchant account' | 'error reports';
  hang(bench: HangsBench): Promise<void>;
};

/** The account of every round's second invoice. */
const HANGING_ACCOUNT = 'north';

const HANGING: Hanging[] = [
  {
    what: 'mail server',
    async hang({ mail }) {
      mail.isShut = true;
    },
  },
  {
    what: 'merchant account',
    async hang({ emulator, provider }) {
      const { apiKey } = await emulator.merchant(HANGING_ACCOUNT);
      // Holds still work, so that the captures pile up.
      provider.hangs = (call) => call.apiKey === apiKey && call.name !== 'authonly';
    },
  },
  {
    what: 'error reports',
    async hang({ reporter }) {
      reporter.isSilent = true;
    },
  },
];

export const hourOfSilence: Attack<HangsBench>[] = HANGING.map(({ what, hang }, index) => ({
  id: `H0${index + 1}`,
  name: `an hour in which the ${what} never answers: everybody else is served, and it is told of`,
  runs: 2,
  async run(bench) {
    bench.answerAgain();
    await query(bench, 'DELETE FROM outgoing_mail');
    await queueReceipts(bench);
    // Hangs while the portal starts, so that nothing depends on what it managed to ask for before.
    await hang(bench);
    await bench.startPortal();
    const isHanging = (account: string) => what === 'merchant account' && account === HANGING_ACCOUNT;
    const before = await residentBytes(bench);
    for (let round = 0; round < bench.rounds; round++) {
      await loadRound(bench);
      // None of this waits for what hangs: the clock only advances once it is done.
      await waitFor(bench, 'the captures of everybody else', async () =>
        (await unfinished(bench)).every(({ account }) => isHanging(account)),
      );
      mustHold(bench.mail.waiting <= MOST_CONNECTIONS, `${bench.mail.waiting} connections wait for mail`);
      mustHold(bench.reporter.waiting <= MOST_REPORTS_WAITING, `${bench.reporter.waiting} reports wait`);
      await advanceEngineClock(bench.instances[0].deps, HOUR_SECONDS / bench.rounds);
    }
    await waitFor(bench, `an alert that names the ${what}`, () => isToldOf(bench, what));
    mustHold((await countRows(bench, 'background_lane')) < 20, 'rows of lanes have piled up');
    const grown = (await residentBytes(bench)) - before;
    mustHold(grown < MOST_GROWTH_BYTES, `memory has grown by ${grown} bytes`);
    bench.figures = { grownMegabytes: Math.round(grown / 1e6), knocks: bench.mail.knocks };

    bench.answerAgain();
    await waitFor(bench, 'all that was left is worked off', async () => {
      if ((await unfinished(bench)).length === 0 && (await waitingMail(bench)) === 0) return true;
      await skipRests(bench);
      return false;
    });
    await waitFor(bench, 'nothing is told of any more', async () => {
      if (!(await scrape(bench)).includes('portal_not_answering{')) return true;
      // A report that arrives proves it. The reporter backs off by the machine's clock for most of a minute.
      await failRequests(bench, { count: 1 });
      await wait(1_000);
      return false;
    });
    await bench.portal.stop();
  },
}));

/** Payments on each account, one by a process that died, and failures to report. */
async function loadRound(bench: HangsBench): Promise<void> {
  const { deps } = bench.instances[0];
  const [customer] = bench.customers;
  const invoices = await makeSharedInvoices(bench, [customer], { invoices: 3 });
  for (const invoice of invoices) {
    const told = await pressOverNetwork(bench.portal.url, await asGuest(bench, [invoice]));
    bench.told.push(told);
    mustHold(told.heard === 'paid', `a payment on ${invoice.account} heard ${told.status} ${codesOf(told)}`);
  }
  await makeCharge(deps, { state: 'authorising' });
  await failRequests(bench);
}

const FAILURES = 5;

async function failRequests(bench: HangsBench, { count = FAILURES } = {}): Promise<void> {
  const { deps } = bench.instances[0];
  const [customer] = bench.customers;
  const { accessToken } = await startSessionOf(deps, customer);
  await query(bench, 'ALTER TABLE user_location RENAME TO user_location_away');
  try {
    for (let failed = 0; failed < count; failed++) {
      const { status } = await fetch(`${bench.portal.url}/api/user/location`, {
        headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` },
      });
      mustHold(status === 500, 'there was nothing to report');
    }
  } finally {
    await query(bench, 'ALTER TABLE user_location_away RENAME TO user_location');
  }
}

async function queueReceipts(bench: HangsBench): Promise<void> {
  await query(
    bench,
    `INSERT INTO outgoing_mail (kind, recipient, content)
     SELECT 'invitation', 'zoe@example.com', '{"subject":"One","text":"One","html":"One"}' FROM generate_series(1, ${RECEIPTS})`,
  );
}

/** Charges due or undecided by the engine's clock, with their accounts. */
async function unfinished(bench: HangsBench): Promise<{ account: string; state: string }[]> {
  const keys = new Map((await bench.emulator.merchants()).map(({ name, publicKey }) => [publicKey, name]));
  const { rows } = await bench.instances[0].deps.db.pool.query<{ publicKey: string; state: string }>(
    `SELECT m.public_key AS "publicKey", c.state FROM charge c
       JOIN merchant_account m ON m.id = c.merchant_account_id
       JOIN payment_intent p ON p.id = c.intent_id
      WHERE c.state IN ('accepted', 'reversing', 'releasing') OR (p.state = 'undecided' AND p.deadline_at < engine_now())
         OR (c.state = 'abandoned' AND p.deadline_at < engine_now() - interval '30 minutes')`,
  );
  return rows.map(({ publicKey, state }) => ({ account: keys.get(publicKey) ?? '', state }));
}

/** If nothing is due yet, moves the clock until something is. */
async function skipRests(bench: HangsBench): Promise<void> {
  const { rows } = await query(
    bench,
    `SELECT extract(epoch FROM min(due) - engine_now())::float8 AS seconds FROM (
       SELECT greatest(c.next_try_at, c.lease_until, b.resting_until) AS due
         FROM charge c LEFT JOIN provider_budget b USING (merchant_account_id) WHERE c.next_try_at IS NOT NULL
       UNION ALL
       SELECT greatest(m.next_try_at, m.lease_until, l.resting_until)
         FROM outgoing_mail m, background_lane l WHERE l.name = 'deliver-mail' AND m.next_try_at IS NOT NULL) AS waiting`,
  );
  const { seconds } = rows[0] as { seconds: number | null };
  if (seconds !== null && seconds > 0) await advanceEngineClock(bench.instances[0].deps, seconds + 0.05);
}

async function waitingMail(bench: HangsBench): Promise<number> {
  return countRows(bench, 'outgoing_mail WHERE next_try_at IS NOT NULL');
}

async function isToldOf({ portal, metricsPort }: HangsBench, what: string): Promise<boolean> {
  const isLogged = portal.log.some(
    (line) => line.alert === 'no answer' && String(line.what).startsWith(what),
  );
  return isLogged && (await scrape({ metricsPort })).includes(`portal_not_answering{what="${what}`);
}

async function scrape({ metricsPort }: Pick<HangsBench, 'metricsPort'>): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

async function residentBytes(bench: HangsBench): Promise<number> {
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(await scrape(bench))?.[1]);
}

async function countRows(bench: HangsBench, from: string): Promise<number> {
  const { rows } = await query(bench, `SELECT count(*)::integer AS count FROM ${from}`);
  return (rows[0] as { count: number }).count;
}

const query = ({ instances: [{ deps }] }: HangsBench, text: string) => deps.db.pool.query(text);

const LONGEST_WAIT_MILLISECONDS = 150_000;
/** What hangs takes seconds: asking more often only keeps the machine busy. */
const BETWEEN_LOOKS_MILLISECONDS = 200;

/** Long enough that even on a busy machine only a standstill fails it. */
async function waitFor(bench: HangsBench, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > LONGEST_WAIT_MILLISECONDS) {
      throw new Error(`${what}: waited in vain. ${JSON.stringify(await unfinished(bench))}`);
    }
    await wait(BETWEEN_LOOKS_MILLISECONDS);
  }
}

function mustHold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
