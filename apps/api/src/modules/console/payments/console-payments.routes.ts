import {
  paymentFiltersSchema,
  paymentListQuerySchema,
  paymentListSchema,
  paymentSummarySchema,
} from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute, withoutStepUp } from '../../../http/office-route.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { admitList } from '../lists/list-limits.ts';
import { listProblem } from '../lists/list-problem.ts';
import { sendCsv } from '../lists/send-csv.ts';
import { exportPayments } from './export-payments.ts';
import { listPayments } from './list-payments.ts';
import { sumPayments } from './sum-payments.ts';

export const consolePaymentsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.payments, {
    schema: { querystring: paymentListQuerySchema, response: { 200: paymentListSchema } },
    handler: async ({ caller, query }) => {
      await admitList(deps, caller);
      const list = await listPayments(deps, { caller, asked: query });
      if (!list.ok) throw listProblem(list);
      return list.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.paymentSummary, {
    schema: { querystring: paymentFiltersSchema, response: { 200: paymentSummarySchema } },
    handler: async ({ caller, query }) => {
      await admitList(deps, caller);
      const sums = await sumPayments(deps, { caller, asked: query });
      if (!sums.ok) throw listProblem(sums);
      return sums.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.exportPayments, {
    schema: { querystring: paymentFiltersSchema },
    handler: async (request, reply) => {
      const asked = withoutStepUp(request.query);
      const exported = await exportPayments(deps, {
        caller: request.caller,
        asked,
        confirm: (tx) => spendStepUp(tx, request),
      });
      if (!exported.ok) throw listProblem(exported);
      return sendCsv(reply, exported.value);
    },
  });
};
