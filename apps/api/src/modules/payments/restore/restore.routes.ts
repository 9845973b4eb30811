import { OFFICE_ENDPOINTS } from '@brightpane/contract/endpoints';
import {
  foundPaymentAnswerSchema,
  foundPaymentsSchema,
  restoredAnswerSchema,
  restoredSchema,
} from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { HttpProblem } from '../../../http/problem.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { acknowledgeFoundPayment } from './acknowledge-found-payment.ts';
import { listFoundPayments } from './list-found-payments.ts';
import { startComparison } from './start-comparison.ts';

const ACTOR = 'office';
const orderSchema = z.object({
  orderId: z.string().regex(/^[a-z0-9-]{1,32}$/, 'Name an order as found lists it.'),
});

/** What people do after the database was put back to an earlier moment. */
export const restoreRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: OFFICE_ENDPOINTS.restored.method,
    url: OFFICE_ENDPOINTS.restored.path,
    schema: { body: restoredSchema, response: { 200: restoredAnswerSchema } },
    handler: async (request) => {
      const { since } = request.body;
      await startComparison(deps, { since: since === undefined ? null : new Date(since), actor: ACTOR });
      return { isClosed: true };
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.foundPayments.method,
    url: OFFICE_ENDPOINTS.foundPayments.path,
    schema: { response: { 200: foundPaymentsSchema } },
    handler: async () => {
      const found = await listFoundPayments(deps);
      return found.map(({ orderId, reference, state, isUnnamed, workOrders, amountCents }) => ({
        orderId,
        reference,
        state,
        isUnnamed,
        workOrders,
        amount: toDollars(cents(amountCents)),
      }));
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.acknowledgeFoundPayment.method,
    url: OFFICE_ENDPOINTS.acknowledgeFoundPayment.path,
    schema: { params: orderSchema, response: { 200: foundPaymentAnswerSchema } },
    handler: async (request) => {
      const { orderId } = request.params;
      if (!(await acknowledgeFoundPayment(deps, { orderId, actor: ACTOR }))) {
        throw new HttpProblem(404, 'No such payment was found, or it is acknowledged.');
      }
      return { orderId };
    },
  });
};
