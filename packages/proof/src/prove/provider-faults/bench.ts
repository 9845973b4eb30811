import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { openDatabase } from '../../../../../apps/api/src/db/client.ts';
import { openGateways } from '../../../../../apps/api/src/gateway/open-gateways.ts';
import type { Gateways } from '../../../../../apps/api/src/gateway/payment-gateway.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { chargesOf, sweepUntilDone } from '../../../../../apps/api/test/books/books.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { observeSeams } from '../../../../../apps/api/test/crashes/crash-seams.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { addCard, makeFranchises } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type SignedInUser, signInUser } from '../../../../../apps/api/test/factories/users.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { judge, type Told } from '../judge.ts';
import { ProviderProxy } from './network/provider-proxy.ts';
import type { Payment } from './payments.ts';

export type Customer = SignedInUser & { paymentMethodId: string };
type LogLine = { alert?: string; msg: string };

/** A portal whose line to the provider runs through a proxy, and what the run under way has seen. */
export type FaultBench = {
  portal: TestApp;
  /** Where the portal listens. */
  url: string;
  emulator: Awaited<ReturnType<typeof startEmulatorProcess>>;
  proxy: ProviderProxy;
  franchises: Awaited<ReturnType<typeof makeFranchises>>;
  customer: Customer;
  other: Customer;
  /** Another portal at the same address, on another database. */
  openPortal(databaseUrl: string): Promise<Pick<FaultBench, 'portal' | 'url'>>;
  /** The provider from now on, as an instance that has just started sees it: with no breaker open. */
  reach(given?: { baseUrl?: string; callMilliseconds?: number }): void;
  /** What else happens when a payment passes a point. */
  at: (point: CrashPoint) => void;
  run: {
    told: Told[];
    payments: Payment[];
    /** What went to the log as an error. */
    errors: LogLine[];
    /** Charges of runs before. */
    before: Set<string>;
    mayNeedReview: boolean;
    /** How far the provider's clock has been set ahead. */
    providerAheadSeconds: number;
    figures: Record<string, number>;
  };
  close(): Promise<void>;
};

/** As an answer that is silent for longer than this is given up; not so short that a busy machine is taken for silence. */
export const IMPATIENT = { callMilliseconds: 400 };

export const noRun = (): FaultBench['run'] => ({
  told: [],
  payments: [],
  errors: [],
  before: new Set(),
  mayNeedReview: false,
  providerAheadSeconds: 0,
  figures: {},
});

export async function openFaultBench(databaseUrl: string): Promise<FaultBench> {
  const emulator = await startEmulatorProcess();
  const proxy = new ProviderProxy(emulator.url);
  const proxyUrl = await proxy.listen();
  const bench = { emulator, proxy, run: noRun(), at: () => {} } as unknown as FaultBench;

  let provider = openGateways({ baseUrl: proxyUrl });
  const gateways: Gateways = {
    of: (keys) => provider.of(keys),
    admit: (accountId) => provider.admit(accountId),
  };
  bench.reach = (given = {}) => {
    provider = openGateways({ baseUrl: proxyUrl, ...given });
  };
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const now = new Date();
  const log = pino({ level: 'error' }, { write: (line) => bench.run.errors.push(JSON.parse(line)) });
  const given = { clock: () => now, log };
  bench.openPortal = async (url) => {
    const env = testEnv({ DATABASE_URL: url, ...settings });
    const db = openDatabase({ url, poolSize: env.DATABASE_POOL_SIZE });
    const seams = observeSeams({ db, gateways }, (point) => bench.at(point));
    const deps = await openDeps(env, { ...given, ...seams });
    const app = await buildApp(deps);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      portal: { deps, app, now },
      url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    };
  };
  Object.assign(bench, await bench.openPortal(databaseUrl));
  bench.franchises = await makeFranchises(bench.portal, emulator, { accounts: 3 });
  // The lists that a run hits are those of its own payments.
  await compareAfterRestore(bench.portal.deps);
  bench.customer = await makeCustomer(bench);
  bench.other = await makeCustomer(bench);
  // The cards' own holds are given back before the first run forgets them.
  await sweepUntilDone(bench.portal.deps);
  bench.close = async () => {
    await closePortal(bench);
    proxy.close();
    await emulator.close();
  };
  return bench;
}

export async function closePortal({ portal }: Pick<FaultBench, 'portal'>): Promise<void> {
  await portal.app.close();
  await portal.deps.db.close();
}

async function makeCustomer({ portal, emulator }: FaultBench): Promise<Customer> {
  const user = await signInUser(portal);
  return { ...user, paymentMethodId: await addCard(portal, emulator, user) };
}

/** What was before must not change what a run comes to. */
export async function beginRun(bench: FaultBench): Promise<void> {
  const { portal, emulator, proxy } = bench;
  await heal(bench);
  await emulator.reset();
  await emulator.advanceClock(-bench.run.providerAheadSeconds);
  for (const table of ['engine_clock', 'provider_budget', 'limit_counter']) {
    await portal.deps.db.query.execute(sql`DELETE FROM ${sql.identifier(table)}`);
  }
  proxy.calls = [];
  proxy.connections = 0;
  bench.run = noRun();
  bench.run.before = new Set((await chargesOf(portal.deps)).map(({ id }) => id));
}

/** Nothing goes wrong from now on. */
export async function heal(bench: FaultBench): Promise<void> {
  await bench.emulator.clearFaults();
  await bench.emulator.switch({ foldingMode: 'N', rateLimit: false });
  bench.proxy.forgetPlans();
  bench.at = () => {};
  bench.reach();
}

/** Books, ledgers and words, and that nobody was asked for the same money twice. */
export async function judgeRun({ portal, emulator, proxy, run }: FaultBench): Promise<string[]> {
  const { told, before, mayNeedReview } = run;
  const wrong = await judge({ deps: portal.deps, emulator, told, except: before, mayNeedReview });
  const asked = proxy.calls.flatMap(({ name, orderId }) => (name === 'authonly' && orderId ? [orderId] : []));
  for (const orderId of new Set(asked)) {
    const times = asked.filter((each) => each === orderId).length;
    if (times > 1) wrong.push(`a hold for ${orderId} was asked for ${times} times`);
  }
  return [...wrong, ...(await judgeInvoices(portal, run.payments))];
}

async function judgeInvoices({ deps }: TestApp, payments: Payment[]): Promise<string[]> {
  const ids = sql.param(payments.flatMap(({ invoices }) => invoices.map((each) => each.invoiceId)));
  const { rows } = await deps.db.query.execute<{
    id: number;
    captured: number;
    isDue: boolean;
    live: number;
  }>(sql`
    SELECT i.id, i.balance_cents > 0 AS "isDue",
           (SELECT count(*)::integer FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
             WHERE a.invoice_id = i.id AND c.state = 'captured') AS captured,
           (SELECT count(*)::integer FROM invoice_claim c WHERE c.invoice_id = i.id AND c.state = 'live') AS live
      FROM invoice i WHERE i.id = ANY(${ids}::bigint[])`);
  const mustBePaid = new Set(
    payments
      .filter((each) => each.mustBePaid)
      .flatMap(({ invoices }) => invoices.map((each) => each.invoiceId)),
  );
  return rows.flatMap(({ id, captured, isDue, live }) => [
    ...(captured > 1 ? [`invoice ${id} was captured ${captured} times`] : []),
    ...(mustBePaid.has(id) && (captured !== 1 || isDue) ? [`invoice ${id} was not paid in the end`] : []),
    ...(live > 0 ? [`invoice ${id} is still claimed`] : []),
  ]);
}
