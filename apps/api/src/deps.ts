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

/** What operations work with. They take it first, and one options object second. */
export type Deps = {
  db: Database;
  env: Env;
  /** The engine's clock, as this process knows it: what waits for an hour or a day. Leases and deadlines ask the database. */
  clock: () => Date;
  /** This host's clock: of tokens that are good for minutes, and of codes that a phone shows. */
  hostClock: () => Date;
  log: FastifyBaseLogger;
  /** Hears of every error that is logged, and times what is done. */
  reporter: Reporter;
  secretBox: SecretBox;
  gateways: Gateways;
  /** Does nothing in the portal; the proof kills its process here. For what its seams in `db` and `gateways` don't see. */
  crashPoint: CrashHook;
  /** Payments that have begun: the process ends after them. */
  underWay: UnderWay;
  /** What this process has seen of the books: an older database does not know it. */
  books: BooksMemory;
  /** What this process counts, for a monitor to read. */
  metrics: Metrics;
};
