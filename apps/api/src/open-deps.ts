import { createSecretBox } from './crypto/secret-box.ts';
import { tellOfUnreadable } from './crypto/unreadable-secrets.ts';
import { openDatabase } from './db/client.ts';
import type { Deps } from './deps.ts';
import type { Env } from './env.ts';
import { openGateways } from './gateway/open-gateways.ts';
import { createLog, standardOutput } from './log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { prepareMerchantAccounts } from './modules/merchant-accounts/prepare-merchant-accounts.ts';
import { resealCards } from './modules/payment-methods/reseal-cards.ts';
import { openBooksMemory } from './modules/payments/epoch/books-memory.ts';
import { prepareDeployment } from './modules/payments/restore/prepare-deployment.ts';
import { resealApps } from './modules/staff/factors/reseal-apps.ts';
import { keepTermsText } from './modules/terms/terms.queries.ts';
import { openReporter } from './reporting/open-reporter.ts';
import { reportedLog } from './reporting/reported-log.ts';
import { trackUnderWay } from './under-way.ts';

/** Opens everything that the settings describe, on a migrated database. `given` overrides the defaults. */
export async function openDeps(env: Env, given: Partial<Deps> = {}): Promise<Deps> {
  const metrics = given.metrics ?? createMetrics();
  const reporter = given.reporter ?? (await openReporter(env));
  const deps: Deps = {
    env,
    db: given.db ?? openDatabase({ url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE }),
    clock: () => new Date(),
    hostClock: given.clock ?? (() => new Date()),
    log: given.log ?? createLog(env.LOG_LEVEL, reportedLog(standardOutput(), reporter)),
    reporter,
    secretBox: given.secretBox ?? createSecretBox(env.DATA_KEY),
    gateways:
      given.gateways ??
      openGateways({
        baseUrl: env.USAEPAY_URL,
        trace: reporter.trace,
        onCall: (result) => metrics.providerCalls.inc({ result }),
      }),
    crashPoint: () => {},
    underWay: trackUnderWay(),
    books: openBooksMemory(),
    metrics,
    ...given,
  };
  await prepareMerchantAccounts(deps);
  await resealCards(deps);
  await resealApps(deps);
  await tellOfUnreadable(deps);
  await prepareDeployment(deps);
  await keepTermsText(deps.db.query, env.TERMS);
  return deps;
}
