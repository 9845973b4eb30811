import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Deps } from './deps.ts';
import { limitUnanswered } from './http/limit-unanswered.ts';
import { dropGone, refuseAddresses, refuseConnections } from './http/refuse-early.ts';
import { compileSerializer, compileValidator, type ZodTypeProvider } from './http/schema.ts';
import { accountRoutes } from './modules/account/account.routes.ts';
import { authRoutes } from './modules/auth/auth.routes.ts';
import { authenticate } from './modules/auth/sessions/authenticate.ts';
import { browserReportsRoutes } from './modules/browser-reports/browser-reports.routes.ts';
import { auditRoutes } from './modules/console/audit/audit.routes.ts';
import { consoleCustomersRoutes } from './modules/console/customers/console-customers.routes.ts';
import { consoleInvoicesRoutes } from './modules/console/invoices/console-invoices.routes.ts';
import { paymentPageRoutes } from './modules/console/payment-page/payment-page.routes.ts';
import { consolePaymentsRoutes } from './modules/console/payments/console-payments.routes.ts';
import { refundsRoutes } from './modules/console/refunds/refunds.routes.ts';
import { waitingRoutes } from './modules/console/waiting/waiting.routes.ts';
import { documentsRoutes } from './modules/documents/documents.routes.ts';
import { healthRoutes } from './modules/health/health.routes.ts';
import { invitationsRoutes, officeInvitationsRoutes } from './modules/invitations/invitations.routes.ts';
import { invoicesRoutes } from './modules/invoices/invoices.routes.ts';
import { locationsRoutes } from './modules/locations/locations.routes.ts';
import { offersRoutes } from './modules/offers/offers.routes.ts';
import { useWaitingOffer } from './modules/offers/use-waiting-offer.ts';
import { IMPORT_SECONDS } from './modules/office/import/import.routes.ts';
import { officeRoutes } from './modules/office/office.routes.ts';
import { paymentMethodsRoutes } from './modules/payment-methods/payment-methods.routes.ts';
import { paymentHistoryRoutes } from './modules/payments/history/history.routes.ts';
import { paymentsRoutes } from './modules/payments/pay/payments.routes.ts';
import { portalPaymentsRoutes } from './modules/payments/pay/portal-payments.routes.ts';
import { restoreRoutes } from './modules/payments/restore/restore.routes.ts';
import { creditsRoutes } from './modules/payments/review/credits.routes.ts';
import { reviewRoutes } from './modules/payments/review/review.routes.ts';
import { identifyCaller } from './modules/staff/identify-caller.ts';
import { staffRoutes } from './modules/staff/staff.routes.ts';
import { officePages } from './pages/office-pages.ts';
import { pages } from './pages/pages.ts';
import { accessLog } from './plugins/access-log.ts';
import { authentication } from './plugins/authentication.ts';
import { cors } from './plugins/cors.ts';
import { jsonBodies } from './plugins/json-bodies.ts';
import { lastAnswers } from './plugins/last-answers.ts';
import { officeCaller } from './plugins/office-caller.ts';
import { openapi } from './plugins/openapi.ts';
import { overload } from './plugins/overload.ts';
import { problemDetails } from './plugins/problem-details.ts';
import { receiveTimeout } from './plugins/receive-timeout.ts';
import { makeRequestId, requestId } from './plugins/request-id.ts';
import { requestMetrics } from './plugins/request-metrics.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import { sharedSecret } from './plugins/shared-secret.ts';
import { strictRequests } from './plugins/strict-requests.ts';
import { requestTraces } from './reporting/request-traces.ts';

/** Offices' calls get half as many connections as payers', and at least enough for a transaction and a read beside it. */
export const officeConnections = (poolSize: number) => Math.max(2, Math.ceil(poolSize / 2));

/**
 * How long a request may take to arrive, and pause or trickle meanwhile, and how often that is checked; how long an answer may
 * wait for a client that reads nothing of it; and how long a refused connection stays open for its refusal to be read.
 */
const PATIENCE = {
  headersSeconds: 15,
  bodySeconds: 15,
  stalledSeconds: 30,
  // 16 kbit/s, less than any mobile network that loads these pages.
  slowestBytesPerSecond: 2_000,
  checkSeconds: 5,
  unreadSeconds: 60,
  lingerSeconds: 1,
};

/**
 * Builds the whole server, not yet listening. The registrations below are the map of what it answers. `webFolder` is
 * the built web app, `officeFolder` the built console; without them only the API answers.
 */
export async function buildApp(
  deps: Deps,
  {
    webFolder,
    officeFolder,
    patience: given = {},
  }: { webFolder?: string; officeFolder?: string; patience?: Partial<typeof PATIENCE> } = {},
): Promise<FastifyInstance> {
  const patience = { ...PATIENCE, ...given };
  // Searches and lists may take seconds each: whatever offices ask, payers keep all of their own connections.
  const office: Deps = {
    ...deps,
    db: deps.db.beside({
      poolSize: officeConnections(deps.env.DATABASE_POOL_SIZE),
      applicationName: 'brightpane office',
    }),
  };
  const publicUrl = deps.env.PUBLIC_URL;
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeRequestId(deps.env.TRUST_PROXY),
    trustProxy: deps.env.TRUST_PROXY,
    bodyLimit: 32 * 1024,
    // For the slowest route; `receiveTimeout` limits the others further.
    requestTimeout: IMPORT_SECONDS * 1000,
    // `limitUnanswered` decides what this means, so that it may be less than a long import or export takes.
    connectionTimeout: patience.unreadSeconds * 1000,
    http: {
      headersTimeout: patience.headersSeconds * 1000,
      connectionsCheckingInterval: patience.checkSeconds * 1000,
      maxHeaderSize: 16 * 1024,
      // `strictRequests` checks it, and refuses in the common format.
      requireHostHeader: false,
    },
    frameworkErrors: refuseAddresses({ publicUrl }),
    clientErrorHandler: refuseConnections({ publicUrl, lingerSeconds: patience.lingerSeconds }),
    routerOptions: { maxParamLength: 200 },
    // Answer requests on open connections fully, instead of with a bare 503.
    return503OnClosing: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  }).withTypeProvider<ZodTypeProvider>();
  // The log already adds the current request's id. A `childLoggerFactory` would have its loggers checked at each request.
  app.log.child = () => app.log;
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  limitUnanswered(app.server);
  app.addHook('onRequest', dropGone);
  await app.register(requestId);
  await app.register(accessLog, { deps });
  await app.register(requestMetrics, { metrics: deps.metrics });
  await app.register(problemDetails);
  await app.register(lastAnswers, { underWay: deps.underWay });
  await app.register(securityHeaders, { publicUrl });
  await app.register(cors, { origins: deps.env.CORS_ORIGINS });
  await app.register(overload, { deps, officePool: office.db.pool });
  await app.register(receiveTimeout, {
    seconds: patience.bodySeconds,
    stalledSeconds: patience.stalledSeconds,
    slowestBytesPerSecond: patience.slowestBytesPerSecond,
  });
  await app.register(jsonBodies);
  await app.register(strictRequests);

  await app.register(
    async (api) => {
      await api.register(openapi);
      await api.register(healthRoutes, { deps });
      await api.register(browserReportsRoutes, { deps });
      await api.register(requestTraces, { reporter: deps.reporter });
      await api.register(documentsRoutes, { deps });
      // The web app's calls, as listed in `ENDPOINTS`.
      await api.register(async (calls) => {
        await calls.register(sharedSecret, { secrets: deps.env.API_SECRET });
        await calls.register(authentication, { authenticate: (token) => authenticate(deps, token) });
        await calls.register(authRoutes, {
          deps,
          afterSignIn: (userId: string) => useWaitingOffer(deps, userId),
        });
        await calls.register(accountRoutes, { deps });
        await calls.register(invitationsRoutes, { deps });
        await calls.register(invoicesRoutes, { deps });
        await calls.register(locationsRoutes, { deps });
        await calls.register(offersRoutes, { deps });
        await calls.register(paymentMethodsRoutes, { deps });
        await calls.register(paymentsRoutes, { deps });
        await calls.register(portalPaymentsRoutes, { deps });
        await calls.register(paymentHistoryRoutes, { deps });
      });
      // The offices' calls.
      await api.register(async (calls) => {
        await calls.register(cookie);
        await calls.register(officeCaller, { identify: (request) => identifyCaller(office, request) });
        await calls.register(staffRoutes, { deps: office });
        await calls.register(officeRoutes, { deps: office });
        await calls.register(officeInvitationsRoutes, { deps: office });
        await calls.register(auditRoutes, { deps: office });
        await calls.register(reviewRoutes, { deps: office });
        await calls.register(restoreRoutes, { deps: office });
        await calls.register(creditsRoutes, { deps: office });
        await calls.register(consoleInvoicesRoutes, { deps: office });
        await calls.register(consoleCustomersRoutes, { deps: office });
        await calls.register(consolePaymentsRoutes, { deps: office });
        await calls.register(paymentPageRoutes, { deps: office });
        await calls.register(waitingRoutes, { deps: office });
        await calls.register(refundsRoutes, { deps: office });
      });
    },
    { prefix: '/api' },
  );

  if (webFolder) await app.register(pages, { env: deps.env, folder: webFolder });
  if (webFolder && officeFolder) await app.register(officePages, { env: deps.env, folder: officeFolder });

  return app as unknown as FastifyInstance;
}
