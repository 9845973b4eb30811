import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { BenchFigure } from '../../../tools/bench.ts';
import { openDatabase } from '../src/db/client.ts';
import { hashPassword } from '../src/modules/auth/password-hash.ts';
import { selectUnpaidInvoices } from '../src/modules/invoices/invoices.queries.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './bench-portal.ts';

const PASSWORD = 'measured again and again';
const AT_ONCE = 8;
const SIZES = [10, 300, 3000];
const BARE_SERVER = fileURLToPath(new URL('./bare-list-server.ts', import.meta.url));

type Customer = { userId: string; token: string };

/** What a signed-in customer's lists cost: beside the least that could answer them, and by how many invoices there are. */
export default async function dashboardBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const hash = await hashPassword(PASSWORD);
  return withBenchPortal({}, async (portal) => {
    await makeCustomers(portal, hash);
    const customers = await Promise.all(SIZES.map((size) => signIn(portal, size)));
    const figures = await besideBare(portal, customers[0] as Customer, short ? 2_000 : 10_000);
    for (const [index, size] of SIZES.entries()) {
      figures.push({
        name: `the dashboard's four loads, ${size} invoices, median`,
        value: await timeOfLoads(portal, customers[index] as Customer, short ? 10 : 40),
        unit: 'ms',
      });
    }
    return [...figures, ...(await amongMany(portal, customers[0] as Customer, short ? 200_000 : 1_000_000))];
  });
}

/** One customer for each size, over at most 40 locations, and the invoices of ten thousand others. */
async function makeCustomers({ databaseUrl }: BenchPortal, hash: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`
      INSERT INTO franchise (id, name, time_zone)
      SELECT n, 'Franchise ' || n, 'America/Chicago' FROM generate_series(1, 20) n`);
    await client.query(`
      INSERT INTO customer (franchise_id, number, name)
      SELECT 1 + n % 20, n, 'Customer ' || n FROM generate_series(1, 2000) n`);
    await client.query(`
      INSERT INTO location (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT c.franchise_id, c.number, c.id, 'Home', c.number || ' Maple Street', 'Springfield', 'IL', '62704', '62704'
        FROM customer c`);
    await client.query(
      `INSERT INTO app_user (email, first_name, last_name, password_hash, email_confirmed_at)
       SELECT 'customer' || n || '@example.com', 'Robin', 'Example', $1, now() FROM generate_series(1, 2000) n`,
      [hash],
    );
    // Everybody has one location; those who are measured have more.
    await client.query(`
      INSERT INTO user_location (user_id, location_id, linked_at)
      SELECT u.id, l.id, now() FROM app_user u JOIN location l ON u.email = 'customer' || l.number || '@example.com'`);
    let first = 201;
    for (const size of SIZES) {
      const locations = Math.min(40, Math.ceil(size / 4));
      await client.query(
        `INSERT INTO user_location (user_id, location_id, linked_at)
         SELECT (SELECT id FROM app_user WHERE email = $1), id, now() FROM location
          WHERE number >= $2 AND number < $2 + $3`,
        [emailOf(size), first, locations],
      );
      await client.query(
        `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                              tax_rate_ppm, due_date, completed_date, tips_enabled)
         SELECT l.franchise_id, $1 * 10000 + n, l.id, 'Windows; Gutters', 10825, 825, 82500,
                date '2026-11-01' + n % 60, '2026-11-03', true
           FROM generate_series(1, $1::integer) n JOIN location l ON l.number = $2 + n % $3`,
        [size, first, locations],
      );
      first += locations;
    }
    await addPaidInvoices(client, { from: 1, to: 10_000 });
  });
}

const emailOf = (size: number) => `customer${SIZES.indexOf(size) + 1}@example.com`;

/** Of everybody: nine in ten are paid. */
async function addPaidInvoices(client: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  await client.query(
    `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                          tax_rate_ppm, due_date, completed_date, tips_enabled, paid_elsewhere_cents)
     SELECT l.franchise_id, 100000000 + n, l.id, 'Windows; Gutters', 10825, 825, 82500, '2026-11-30', '2026-11-03', true,
            CASE WHEN n % 10 = 0 AND l.number > 400 THEN 0 ELSE 10825 END
       FROM generate_series($1::integer, $2::integer) n JOIN location l ON l.number = 1 + n % 2000`,
    [from, to],
  );
  await client.query('VACUUM ANALYZE');
}

async function signIn({ url, databaseUrl }: BenchPortal, size: number): Promise<Customer> {
  const email = emailOf(size);
  const answer = await fetch(`${url}/api/authentication/login`, {
    method: 'POST',
    headers: { 'x-apisecret': BENCH_SECRETS.apiSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { accessToken: token } = (await answer.json()) as { accessToken: string };
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM app_user WHERE email = $1', [email]);
    return { userId: rows[0]?.id ?? '', token };
  });
}

const headersOf = ({ token }: Customer) => ({
  'x-apisecret': BENCH_SECRETS.apiSecret,
  authorization: `Bearer ${token}`,
});

/** Rounds take turns, so that whatever else the machine does falls on both. */
async function besideBare(portal: BenchPortal, customer: Customer, requests: number): Promise<BenchFigure[]> {
  const bare = fork(BARE_SERVER, {
    env: {
      DATABASE_URL: portal.databaseUrl,
      USER_ID: customer.userId,
      STATEMENT: await listStatement(portal, customer),
    },
  });
  const [bareUrl] = (await once(bare, 'message')) as [string];
  try {
    const list = {
      url: `${portal.url}/api/user/invoice`,
      headers: headersOf(customer),
      process: portal.process,
    };
    const least = { url: bareUrl, headers: {}, process: bare };
    const ours: Round[] = [];
    const theirs: Round[] = [];
    await round(list, requests / 4);
    await round(least, requests / 4);
    for (let turn = 0; turn < 5; turn++) {
      ours.push(await round(list, requests / 5));
      theirs.push(await round(least, requests / 5));
    }
    const perSecond = (rounds: Round[]) => median(rounds.map((each) => each.perSecond));
    const cpu = (rounds: Round[]) => median(rounds.map((each) => each.cpuMicroseconds));
    return [
      { name: 'lists of 10 invoices', value: perSecond(ours), unit: '/s' },
      { name: 'the same rows from bare node:http and pg', value: perSecond(theirs), unit: '/s' },
      {
        name: 'share of the bare requests per second',
        value: perSecond(ours) / perSecond(theirs),
        unit: '',
        limit: { atLeast: 0.65 },
      },
      {
        name: 'CPU of a request, of the bare one',
        value: cpu(ours) / cpu(theirs),
        unit: 'times',
        limit: { atMost: 1.7 },
      },
    ];
  } finally {
    bare.kill('SIGTERM');
    await once(bare, 'exit');
  }
}

/** The statement that the portal prepares, in the words of the connection that has prepared it. */
async function listStatement({ databaseUrl }: BenchPortal, { userId }: Customer): Promise<string> {
  const single = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    await selectUnpaidInvoices(single.query, userId);
    const { rows } = await single.pool.query<{ statement: string }>(
      `SELECT statement FROM pg_prepared_statements WHERE name = 'list_unpaid_invoices'`,
    );
    return rows[0]?.statement ?? '';
  } finally {
    await single.close();
  }
}

type Round = { perSecond: number; cpuMicroseconds: number };

async function round(
  server: { url: string; headers: Record<string, string>; process: ChildProcess },
  requests: number,
): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const cpuBefore = await cpuMicroseconds(server.process);
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next++ < requests) await fetchAll(server.url, server.headers, agent);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return {
    perSecond: requests / seconds,
    cpuMicroseconds: ((await cpuMicroseconds(server.process)) - cpuBefore) / requests,
  };
}

function fetchAll(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}

const TICKS_A_SECOND = 100;

/** What Linux has counted for the process so far, in user and system mode. */
async function cpuMicroseconds({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
}

const LOADS = ['/user/location', '/user/invoice', '/usaepay/portal/paymentmethods', '/user/invitations'];

async function timeOfLoads({ url }: BenchPortal, customer: Customer, times: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const taken: number[] = [];
  for (let index = 0; index < times; index++) {
    const start = performance.now();
    await Promise.all(LOADS.map((path) => fetchAll(`${url}/api${path}`, headersOf(customer), agent)));
    taken.push(performance.now() - start);
  }
  agent.destroy();
  return median(taken);
}

/** Whether a list takes longer when the offices have sent many times as many invoices. */
async function amongMany(portal: BenchPortal, customer: Customer, invoices: number): Promise<BenchFigure[]> {
  const list = async () => {
    const agent = new Agent({ keepAlive: true });
    const taken: number[] = [];
    for (let index = 0; index < 300; index++) {
      const start = performance.now();
      await fetchAll(`${portal.url}/api/user/invoice`, headersOf(customer), agent);
      taken.push(performance.now() - start);
    }
    agent.destroy();
    return median(taken);
  };
  const few = await list();
  await withClient(portal.databaseUrl, (client) => addPaidInvoices(client, { from: 10_001, to: invoices }));
  const many = await list();
  return [
    {
      name: `a list among ${invoices.toLocaleString('en-US')} invoices, of one among 10,000`,
      value: many / few,
      unit: 'times',
      limit: { atMost: 1.5 },
    },
  ];
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
