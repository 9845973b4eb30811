import type { FastifyBaseLogger } from 'fastify';
import type { CrashHook } from './crash-points.ts';
import type { SecretBox } from './crypto/secret-box.ts';
import type { Database } from './db/client.ts';
import type { Env } from './env.ts';
import type { Gateways } from './gateway/payment-gateway.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { BooksMemory } from './modules/payments/epoch/books-memory.ts';
import type { Reporter } from './reporting/reporter.ts';
import type { UnderWay } from './under-way.ts';

/** The dependencies of operations, which take them first and one options object second. */
export type Deps = {
  db: Database;
  env: Env;
  /**
   * The engine's clock as this process knows it, for what waits hours or days. Leases and deadlines ask the database.
   */
  clock: () => Date;
  /** This host's clock, for tokens that last minutes and codes from authenticator apps. */
  hostClock: () => Date;
  log: FastifyBaseLogger;
  /** Receives every logged error, and times work. */
  reporter: Reporter;
  secretBox: SecretBox;
  gateways: Gateways;
  /**
   * Does nothing in the portal; the proof kills its process here. For points that its hooks in `db`
   * and `gateways` don't reach.
   */
  crashPoint: CrashHook;
  /** Payments in progress; the process ends only after them. */
  underWay: UnderWay;
  /** What this process has seen of the books; a database that doesn't know it is older. */
  books: BooksMemory;
  /** This process's counters, for a monitor to read. */
  metrics: Metrics;
};
