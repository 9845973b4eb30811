import { ENDPOINTS } from '@brightpane/contract/endpoints';
import {
  listedPaymentSchema,
  paymentIdParamsSchema,
  paymentsQuerySchema,
  paymentsSchema,
  statementQuerySchema,
  statementSchema,
} from '@brightpane/contract/invoices/payment-history';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { findPayment } from './find-payment.ts';
import { historyProblem } from './history.problems.ts';
import { listPayments } from './list-payments.ts';
import { makeStatement } from './make-statement.ts';

export const paymentHistoryRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.payments.method,
    url: ENDPOINTS.payments.path,
    schema: { querystring: paymentsQuerySchema, response: { 200: paymentsSchema } },
    handler: async ({ userId, query }) => {
      const listed = await listPayments(deps, { userId, ...query });
      if (!listed.ok) throw historyProblem(listed);
      return listed.value;
    },
  });

  app.route({
    method: ENDPOINTS.payment.method,
    url: ENDPOINTS.payment.path,
    schema: { params: paymentIdParamsSchema, response: { 200: listedPaymentSchema } },
    handler: async ({ userId, params }) => {
      const found = await findPayment(deps, { userId, ...params });
      if (!found.ok) throw historyProblem(found);
      return found.value;
    },
  });

  app.route({
    method: ENDPOINTS.statements.method,
    url: ENDPOINTS.statements.path,
    schema: { querystring: statementQuerySchema, response: { 200: statementSchema } },
    handler: async ({ userId, query }) => {
      const made = await makeStatement(deps, { userId, ...query });
      if (!made.ok) throw historyProblem(made);
      return made.value;
    },
  });
};
