import { auditListSchema, auditQuerySchema } from '@brightpane/contract/office/audit';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { listProblem } from '../lists/list-problem.ts';
import { listAudit } from './list-audit.ts';

/** What was done by hand. */
export const auditRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.audit, {
    schema: { querystring: auditQuerySchema, response: { 200: auditListSchema } },
    handler: async (request) => {
      const { cursor, ...filters } = request.query;
      const listed = await listAudit(deps, { reader: request.caller, filters, cursor });
      if (!listed.ok) throw listProblem(listed);
      return listed.value;
    },
  });
};
