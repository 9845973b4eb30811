import type pg from 'pg';

/**
 * Which of Postgres' processes serve a simulation. Asking about these takes a twentieth of what reading all locks and
 * all connections does, and it is asked several hundred times a seed.
 */
export class Backends {
  readonly #pids = new Set<number>();

  /** Before the pool opens its first connection. */
  watch(pool: pg.Pool): void {
    const pidOf = (client: pg.PoolClient) => (client as unknown as { processID: number }).processID;
    pool.on('connect', (client) => this.#pids.add(pidOf(client)));
    pool.on('remove', (client) => this.#pids.delete(pidOf(client)));
  }

  /** How many of them wait for a lock. */
  async countBlocked(admin: pg.Pool): Promise<number> {
    const { rows } = await admin.query<{ blocked: number }>({
      name: 'count-blocked',
      text: `SELECT count(*)::integer AS blocked FROM unnest($1::integer[]) AS own (pid)
              WHERE cardinality(pg_blocking_pids(own.pid)) > 0`,
      values: [[...this.#pids]],
    });
    return rows[0]?.blocked ?? 0;
  }
}
