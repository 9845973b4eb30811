import { auditFileQuerySchema, auditListSchema, auditQuerySchema } from '@brightpane/contract/office/audit';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute, withoutStepUp } from '../../../http/office-route.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { admitList } from '../lists/list-limits.ts';
import { listProblem } from '../lists/list-problem.ts';
import { sendCsv } from '../lists/send-csv.ts';
import { exportAudit } from './export-audit.ts';
import { listAudit } from './list-audit.ts';

/** Acts of people and keys. */
export const auditRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.audit, {
    schema: { querystring: auditQuerySchema, response: { 200: auditListSchema } },
    handler: async (request) => {
      await admitList(deps, request.caller);
      const { cursor, ...filters } = request.query;
      const listed = await listAudit(deps, { reader: request.caller, filters, cursor });
      if (!listed.ok) throw listProblem(listed);
      return listed.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.exportAudit, {
    schema: { querystring: auditFileQuerySchema },
    handler: async (request, reply) => {
      const filters = withoutStepUp(request.query);
      const exported = await exportAudit(deps, {
        reader: request.caller,
        filters,
        confirm: (tx) => spendStepUp(tx, request),
      });
      return sendCsv(reply, exported);
    },
  });
};
