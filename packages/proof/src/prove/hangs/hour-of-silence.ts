import { setTimeout as wait } from 'node:timers/promises';

import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { makeCharge } from '../../../../../apps/api/test/factories/payments/charges.ts';
import { startSessionOf } from '../../../../../apps/api/test/factories/users.ts';
import type { Attack } from '../attack.ts';
import { pressOverNetwork } from '../instances/press-over-network.ts';
import { codesOf } from '../races/heard.ts';
import { asGuest, makeSharedInvoices } from '../races/pay.ts';
import type { HangsRig } from './rig.ts';

const HOUR_SECONDS = 3_600;
const RECEIPTS = 40;
const MOST_CONNECTIONS = 8;
const MOST_REPORTS_WAITING = 70;
const MOST_GROWTH_BYTES = 150e6;

type Hanging = {
  what: 'mail server' | 'merchant account' | 'error reports';
  hang(rig: HangsRig): Promise<void>;
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

export const hourOfSilence: Attack<HangsRig>[] = HANGING.map(({ what, hang }, index) => ({
  id: `H0${index + 1}`,
  name: `an hour in which the ${what} never answers: everybody else is served, and it is told of`,
  runs: 2,
  async run(rig) {
    rig.answerAgain();
    await query(rig, 'DELETE FROM outgoing_mail');
    await queueReceipts(rig);
    // Hangs while the portal starts, so that nothing depends on what it managed to ask for before.
    await hang(rig);
    await rig.startPortal();
    const isHanging = (account: string) => what === 'merchant account' && account === HANGING_ACCOUNT;
    const before = await residentBytes(rig);
    for (let round = 0; round < rig.rounds; round++) {
      await loadRound(rig);
      // None of this waits for what hangs: the clock only advances once it is done.
      await waitFor(rig, 'the captures of everybody else', async () =>
        (await unfinished(rig)).every(({ account }) => isHanging(account)),
      );
      mustHold(rig.mail.waiting <= MOST_CONNECTIONS, `${rig.mail.waiting} connections wait for mail`);
      mustHold(rig.reporter.waiting <= MOST_REPORTS_WAITING, `${rig.reporter.waiting} reports wait`);
      await advanceEngineClock(rig.instances[0].deps, HOUR_SECONDS / rig.rounds);
    }
    await waitFor(rig, `an alert that names the ${what}`, () => isToldOf(rig, what));
    mustHold((await countRows(rig, 'background_lane')) < 20, 'rows of lanes have piled up');
    const grown = (await residentBytes(rig)) - before;
    mustHold(grown < MOST_GROWTH_BYTES, `memory has grown by ${grown} bytes`);
    rig.figures = { grownMegabytes: Math.round(grown / 1e6), knocks: rig.mail.knocks };

    rig.answerAgain();
    await waitFor(rig, 'all that was left is worked off', async () => {
      if ((await unfinished(rig)).length === 0 && (await waitingMail(rig)) === 0) return true;
      await skipRests(rig);
      return false;
    });
    await waitFor(rig, 'nothing is told of any more', async () => {
      if (!(await scrape(rig)).includes('portal_not_answering{')) return true;
      // A report that arrives proves it. The reporter backs off by the machine's clock for most of a minute.
      await failRequests(rig, { count: 1 });
      await wait(1_000);
      return false;
    });
    await rig.portal.stop();
  },
}));

/** Payments on each account, one by a process that died, and failures to report. */
async function loadRound(rig: HangsRig): Promise<void> {
  const { deps } = rig.instances[0];
  const [customer] = rig.customers;
  const invoices = await makeSharedInvoices(rig, [customer], { invoices: 3 });
  for (const invoice of invoices) {
    const told = await pressOverNetwork(rig.portal.url, await asGuest(rig, [invoice]));
    rig.told.push(told);
    mustHold(told.heard === 'paid', `a payment on ${invoice.account} heard ${told.status} ${codesOf(told)}`);
  }
  await makeCharge(deps, { state: 'authorising' });
  await failRequests(rig);
}

const FAILURES = 5;

async function failRequests(rig: HangsRig, { count = FAILURES } = {}): Promise<void> {
  const { deps } = rig.instances[0];
  const [customer] = rig.customers;
  const { accessToken } = await startSessionOf(deps, customer);
  await query(rig, 'ALTER TABLE user_location RENAME TO user_location_away');
  try {
    for (let failed = 0; failed < count; failed++) {
      const { status } = await fetch(`${rig.portal.url}/api/user/location`, {
        headers: { 'x-apisecret': TEST_SECRETS.apiSecret, authorization: `Bearer ${accessToken}` },
      });
      mustHold(status === 500, 'there was nothing to report');
    }
  } finally {
    await query(rig, 'ALTER TABLE user_location_away RENAME TO user_location');
  }
}

async function queueReceipts(rig: HangsRig): Promise<void> {
  await query(
    rig,
    `INSERT INTO outgoing_mail (kind, recipient, content)
     SELECT 'invitation', 'zoe@example.com', '{"subject":"One","text":"One","html":"One"}' FROM generate_series(1, ${RECEIPTS})`,
  );
}

/** Charges due or undecided by the engine's clock, with their accounts. */
async function unfinished(rig: HangsRig): Promise<{ account: string; state: string }[]> {
  const keys = new Map((await rig.emulator.merchants()).map(({ name, publicKey }) => [publicKey, name]));
  const { rows } = await rig.instances[0].deps.db.pool.query<{ publicKey: string; state: string }>(
    `SELECT m.public_key AS "publicKey", c.state FROM charge c
       JOIN merchant_account m ON m.id = c.merchant_account_id
       JOIN payment_intent p ON p.id = c.intent_id
      WHERE c.state IN ('accepted', 'reversing', 'releasing') OR (p.state = 'undecided' AND p.deadline_at < engine_now())
         OR (c.state = 'abandoned' AND p.deadline_at < engine_now() - interval '30 minutes')`,
  );
  return rows.map(({ publicKey, state }) => ({ account: keys.get(publicKey) ?? '', state }));
}

/** If nothing is due yet, moves the clock until something is. */
async function skipRests(rig: HangsRig): Promise<void> {
  const { rows } = await query(
    rig,
    `SELECT extract(epoch FROM min(due) - engine_now())::float8 AS seconds FROM (
       SELECT greatest(c.next_try_at, c.lease_until, b.resting_until) AS due
         FROM charge c LEFT JOIN provider_budget b USING (merchant_account_id) WHERE c.next_try_at IS NOT NULL
       UNION ALL
       SELECT greatest(m.next_try_at, m.lease_until, l.resting_until)
         FROM outgoing_mail m, background_lane l WHERE l.name = 'deliver-mail' AND m.next_try_at IS NOT NULL) AS waiting`,
  );
  const { seconds } = rows[0] as { seconds: number | null };
  if (seconds !== null && seconds > 0) await advanceEngineClock(rig.instances[0].deps, seconds + 0.05);
}

async function waitingMail(rig: HangsRig): Promise<number> {
  return countRows(rig, 'outgoing_mail WHERE next_try_at IS NOT NULL');
}

async function isToldOf({ portal, metricsPort }: HangsRig, what: string): Promise<boolean> {
  const isLogged = portal.log.some(
    (line) => line.alert === 'no answer' && String(line.what).startsWith(what),
  );
  return isLogged && (await scrape({ metricsPort })).includes(`portal_not_answering{what="${what}`);
}

async function scrape({ metricsPort }: Pick<HangsRig, 'metricsPort'>): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

async function residentBytes(rig: HangsRig): Promise<number> {
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(await scrape(rig))?.[1]);
}

async function countRows(rig: HangsRig, from: string): Promise<number> {
  const { rows } = await query(rig, `SELECT count(*)::integer AS count FROM ${from}`);
  return (rows[0] as { count: number }).count;
}

const query = ({ instances: [{ deps }] }: HangsRig, text: string) => deps.db.pool.query(text);

const LONGEST_WAIT_MILLISECONDS = 150_000;
/** What hangs takes seconds: asking more often only keeps the machine busy. */
const BETWEEN_LOOKS_MILLISECONDS = 200;

/** Long enough that even on a busy machine only a standstill fails it. */
async function waitFor(rig: HangsRig, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > LONGEST_WAIT_MILLISECONDS) {
      throw new Error(`${what}: waited in vain. ${JSON.stringify(await unfinished(rig))}`);
    }
    await wait(BETWEEN_LOOKS_MILLISECONDS);
  }
}

function mustHold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
