import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../deps.ts';
import { readBrowserReports } from './read-browser-reports.ts';
import { createReportGate } from './report-gate.ts';

const BODY_LIMIT = 16 * 1024;
const CONTENT_TYPES = ['application/csp-report', 'application/reports+json'];

const REPORTS_KEPT_PER_MINUTE = 60;

/**
 * Receives browsers' reports of what the content policy blocked. Anybody can write here, so keep little: one log line
 * per report, limited per minute, without the query of any URL. Every report gets the same answer.
 */
export const browserReportsRoutes: FastifyPluginAsync<{
  deps: Pick<Deps, 'log' | 'clock' | 'metrics'>;
}> = async (app, { deps }) => {
  const gate = createReportGate({ perMinute: REPORTS_KEPT_PER_MINUTE, clock: deps.clock });
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(CONTENT_TYPES, { parseAs: 'string' }, parseJson);

  app.post(
    '/browser-reports',
    { bodyLimit: BODY_LIMIT, schema: { body: z.unknown() } },
    async (request, reply) => {
      for (const report of readBrowserReports(request.body)) {
        const pass = gate.pass();
        deps.metrics.browserReports.inc({ result: pass ? 'logged' : 'dropped' });
        if (pass) deps.log.warn({ report, dropped: pass.dropped }, 'a browser reports');
      }
      return reply.code(204).send();
    },
  );
};
