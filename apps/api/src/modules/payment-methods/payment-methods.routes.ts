import {
  paymentMethodIdParamsSchema,
  paymentMethodsSchema,
} from '@brightpane/contract/customers/payment-methods';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { presentPaymentMethod } from './payment-methods.presenter.ts';
import { paymentMethodNotFound } from './payment-methods.problems.ts';
import { removePaymentMethod } from './remove-payment-method.ts';

/** Lists and deletes cards. Adding one is a payment, so it is with the payments. */
export const paymentMethodsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.paymentMethods.method,
    url: ENDPOINTS.paymentMethods.path,
    schema: { response: { 200: paymentMethodsSchema } },
    handler: async ({ userId }) => {
      const cards = await listPaymentMethods(deps, { userId });
      return cards.map((card) => presentPaymentMethod(card, deps.clock()));
    },
  });

  app.route({
    method: ENDPOINTS.removePaymentMethod.method,
    url: ENDPOINTS.removePaymentMethod.path,
    schema: { params: paymentMethodIdParamsSchema },
    handler: async ({ userId, params }, reply) => {
      const removed = await removePaymentMethod(deps, { userId, id: params.id });
      if (!removed.ok) throw paymentMethodNotFound();
      return reply.code(204).send();
    },
  });
};
