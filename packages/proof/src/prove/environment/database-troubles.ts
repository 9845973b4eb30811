import { setTimeout as wait } from 'node:timers/promises';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import type { Attack } from '../attack.ts';
import { waitUntil } from '../races/wait-until.ts';
import { makeWish, payInTheEnd, pressAttacked, type Wish } from './pay-in-the-end.ts';
import type { EnvironmentRig } from './rig.ts';

type Accounts = 'guest' | 1 | 3;

/** Which commit is cut, of which payment. */
const COMMITS: { point: CrashPoint; accounts: Accounts }[] = [
  { point: '02-inside-claim', accounts: 'guest' },
  { point: '02-inside-claim', accounts: 3 },
  { point: '07-inside-authorised', accounts: 3 },
  { point: '09-inside-accept', accounts: 'guest' },
  { point: '09-inside-accept', accounts: 3 },
];
/** Before it reaches the database, after it happened, or by an administrator while the database is committing. */
const CUTS = ['before', 'after', 'terminated', 'terminated'] as const;

/** Statements that fail: the claim's, the approval's, the acceptance's and the sweep's own. */
const PLACES = [
  { table: 'payment_intent', event: 'INSERT' },
  { table: 'invoice_claim', event: 'INSERT' },
  { table: 'charge', event: 'UPDATE' },
  { table: 'ledger_entry', event: 'INSERT' },
  { table: 'payment_intent', event: 'UPDATE' },
];
/** Lock time-out, statement time-out, serialization failure, deadlock, too many connections. */
const STATES = ['55P03', '57014', '40001', '40P01', '53300'];
/** Once, and more often than a transaction is retried. */
const TIMES = [1, 6];
const POOL_RUNS = 4;

export const databaseTroubles: Attack<EnvironmentRig>[] = [
  {
    id: 'F35',
    name: 'a connection that is lost during COMMIT: what happened is read before anything is done or said',
    runs: COMMITS.length * CUTS.length,
    async run(rig, { run }) {
      const { point, accounts } = COMMITS[run % COMMITS.length] ?? fail();
      const cut = CUTS[Math.floor(run / COMMITS.length) % CUTS.length] ?? fail();
      const wish = await makeWish(rig, { accounts });
      const cutting = cut === 'terminated' ? await terminateSlowCommit(rig) : rig.cutCommit(cut);
      rig.at = (reached) => {
        if (reached !== point) return;
        rig.at = () => {};
        cutting.arm();
      };
      await pressAttacked(rig, wish);
      if (!(await cutting.isDone())) throw new Error(`${point} was not reached`);
      await payInTheEnd(rig, wish);
    },
  },
  {
    id: 'F36',
    name: 'a database that refuses statements or has no connection left: nothing is done by halves',
    runs: PLACES.length * STATES.length + POOL_RUNS,
    async run(rig, { run }) {
      const accounts = ([1, 3, 'guest'] as const)[run % 3] ?? 'guest';
      const wish = await makeWish(rig, { accounts });
      if (run >= PLACES.length * STATES.length) return exhaustPool(rig, { wish, run });
      const place = PLACES[run % PLACES.length] ?? fail();
      const state = STATES[Math.floor(run / PLACES.length)] ?? fail();
      await refuseStatements(rig, { ...place, state, times: TIMES[run % TIMES.length] ?? 1 });
      const told = await pressAttacked(rig, wish);
      if (told.heard !== 'paid' && told.status !== 503)
        throw new Error(`${state} was told as ${told.status}`);
      await rig.endRun();
      await payInTheEnd(rig, wish);
    },
  },
];

/** A trigger that raises the error the next `times` times, even across rollbacks. */
async function refuseStatements(
  rig: EnvironmentRig,
  refused: { table: string; event: string; state: string; times: number },
): Promise<void> {
  const { table, event, state, times } = refused;
  const { pool } = rig.instances[0].deps.db;
  await pool.query(`
    CREATE SEQUENCE troubles;
    CREATE FUNCTION make_trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('troubles') <= ${times} THEN
        RAISE EXCEPTION 'trouble' USING ERRCODE = '${state}';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER trouble AFTER ${event} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION make_trouble()`);
  rig.afterRun.push(() => pool.query('DROP FUNCTION make_trouble CASCADE; DROP SEQUENCE troubles'));
}

type Cutting = { arm(): void; isDone(): boolean | Promise<boolean> };

/** Slows down payments' commits and ends the session of the next one during it. */
async function terminateSlowCommit(rig: EnvironmentRig): Promise<Cutting> {
  const { pool } = rig.instances[0].deps.db;
  await pool.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_sleep(0.3);
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER slow_insert AFTER INSERT ON payment_intent DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION commit_slowly();
    CREATE CONSTRAINT TRIGGER slow_update AFTER UPDATE ON charge DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION commit_slowly()`);
  rig.afterRun.push(() => pool.query('DROP FUNCTION commit_slowly CASCADE'));
  const terminate = async () => {
    const { rows } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND query ILIKE 'commit%'`,
    );
    return rows.length > 0;
  };
  let done: Promise<boolean> = Promise.resolve(false);
  return {
    arm() {
      done = waitUntil(terminate, 'a commit is under way').then(() => true);
      done.catch(() => {});
    },
    isDone: () => done,
  };
}

/** Longer than a payer waits for a connection, and shorter. */
const HELD_MILLISECONDS = [5_500, 500];

/** Takes every connection of the attacked portal, before a payment begins or while its card is asked. */
async function exhaustPool(rig: EnvironmentRig, { wish, run }: { wish: Wish; run: number }): Promise<void> {
  const { pool } = rig.attacked.deps.db;
  const { max = 1 } = pool.options;
  const hold = async () => {
    const held = await Promise.all(Array.from({ length: max }, () => pool.connect()));
    await wait(HELD_MILLISECONDS[run % 2]);
    for (const client of held) client.release();
  };
  let holding: Promise<void> | undefined;
  const isBeforeClaim = run % 4 < 2;
  if (isBeforeClaim) holding = hold();
  rig.at = (reached) => {
    if (reached === '06-authorize-answered') holding ??= hold();
  };
  const told = await pressAttacked(rig, wish);
  await holding;
  const isShort = run % 2 === 1;
  if (isShort && told.heard !== 'paid') throw new Error(`a short wait was told as ${told.status}`);
  // Once the card was asked, the portal retries the decision for a while.
  if (!isShort && isBeforeClaim && told.status !== 503)
    throw new Error(`a long wait was told as ${told.status}`);
  await payInTheEnd(rig, wish);
}

function fail(): never {
  throw new Error('there is no such variant');
}
