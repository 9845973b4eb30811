import type pg from 'pg';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { Breakers } from '../../../../../apps/api/src/gateway/breakers.ts';
import { openGateways } from '../../../../../apps/api/src/gateway/open-gateways.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import type { TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import type { Backends } from './backends.ts';
import { observeDatabase } from './observed-database.ts';
import { observeGateways } from './observed-gateways.ts';
import { NO_TROUBLE, type Trouble } from './trouble.ts';

/** Opens sooner than in production, so that it also happens in simulations this short. */
const openBreakers = () => new Breakers({ failuresThatOpen: 2 });

/** A portal process, as much of it as a simulation needs. */
export type Instance = { name: string; deps: Deps; breakers: Breakers };

/**
 * The instances of consecutive simulations: one that wasn't killed continues into the next simulation, as a running
 * portal would.
 */
export class Instances {
  trouble: Trouble = NO_TROUBLE;
  readonly #healthy: Deps;
  readonly #admin: pg.Pool;
  readonly #emulator: TestEmulator;
  readonly #backends: Backends;
  readonly #running: Instance[] = [];
  #started = 0;

  constructor(options: { healthy: Deps; admin: pg.Pool; emulator: TestEmulator; backends: Backends }) {
    this.#healthy = options.healthy;
    this.#admin = options.admin;
    this.#emulator = options.emulator;
    this.#backends = options.backends;
  }

  async start(count: number): Promise<void> {
    while (this.#running.length < count) this.#running.push(await this.#open());
  }

  /** Resets what earlier seeds left, so that it can't influence this one. */
  forget(): void {
    for (const instance of this.#running) instance.breakers = openBreakers();
  }

  at(index: number): Instance {
    const instance = this.#running[index];
    if (!instance) throw new Error(`no instance ${index}`);
    return instance;
  }

  /** Ends the instance's connections, as the death of its process would, and starts another in its place. */
  async restart(index: number): Promise<void> {
    const { name, deps } = this.at(index);
    // Not awaited: its actors will never return the connections they had open.
    void deps.db.close();
    await this.#terminate('SELECT pid FROM pg_stat_activity WHERE application_name = $1', name);
    this.#running[index] = await this.#open();
  }

  /** Cuts one of the instance's connections in the middle of its work. */
  async cutConnection(index: number): Promise<boolean> {
    const one = `SELECT pid FROM pg_stat_activity WHERE application_name = $1
                  ORDER BY xact_start, backend_start LIMIT 1`;
    return (await this.#terminate(one, this.at(index).name)) > 0;
  }

  /** Terminates connections and polls until they are gone; Postgres itself checks only ten times a second. */
  async #terminate(which: string, name: string): Promise<number> {
    const { rows } = await this.#admin.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM (${which}) AS chosen`,
      [name],
    );
    const isLeft = async () => {
      const left = await this.#admin.query('SELECT FROM pg_stat_activity WHERE pid = ANY($1)', [
        rows.map(({ pid }) => pid),
      ]);
      return left.rows.length > 0;
    };
    while (await isLeft());
    return rows.length;
  }

  /** How many actors wait for a lock or for one of their instance's connections. */
  async countBlocked(): Promise<number> {
    const blocked = await this.#backends.countBlocked(this.#admin);
    return blocked + this.#running.reduce((sum, { deps }) => sum + deps.db.pool.waitingCount, 0);
  }

  /** Connections that were taken and never returned. */
  leaked(): string[] {
    return this.#running
      .filter(({ deps: { db } }) => db.pool.idleCount < db.pool.totalCount)
      .map(
        ({ name, deps: { db } }) => `${name} has lost ${db.pool.totalCount - db.pool.idleCount} connections`,
      );
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map(({ deps }) => deps.db.close()));
  }

  async #open(): Promise<Instance> {
    const { env, log } = this.#healthy;
    const name = `simulated-${process.pid}-${++this.#started}`;
    let trouble = () => NO_TROUBLE;
    const breakers = () => instance.breakers;
    const db = observeDatabase({ url: env.DATABASE_URL, name }, () => trouble());
    this.#backends.watch(db.pool);
    const deps = await openDeps(env, {
      db,
      gateways: observeGateways(
        openGateways({ baseUrl: env.USAEPAY_URL }),
        breakers,
        () => trouble(),
        (fault) => this.#emulator.script(fault),
      ),
      log,
      // The machine's own clock, which may be off for an actor.
      clock: () => new Date(Date.now()),
    });
    // Only once it has started: a portal that fails to start isn't what this tests.
    trouble = () => this.trouble;
    const instance: Instance = { name, deps, breakers: openBreakers() };
    return instance;
  }
}
