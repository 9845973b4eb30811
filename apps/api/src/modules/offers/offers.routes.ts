import { giveOfferSchema, offerSchema, registerWithOfferSchema } from '@brightpane/contract/customers/offers';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { authProblem } from '../auth/auth.problems.ts';
import { lookAtOffer } from './look-at-offer.ts';
import { registerWithOffer } from './register-with-offer.ts';
import { useOffer } from './use-offer.ts';

/** Leads from a guest's payment to an account. */
export const offersRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.lookAtOffer.method,
    url: ENDPOINTS.lookAtOffer.path,
    schema: { body: giveOfferSchema, response: { 200: offerSchema } },
    handler: async ({ ip, body }) => {
      const found = await lookAtOffer(deps, { ...body, ip });
      if (!found.ok) throw authProblem(found);
      return found.value;
    },
  });

  app.route({
    method: ENDPOINTS.registerWithOffer.method,
    url: ENDPOINTS.registerWithOffer.path,
    schema: { body: registerWithOfferSchema },
    handler: async ({ ip, body }, reply) => {
      const registered = await registerWithOffer(deps, { ...body, ip });
      if (!registered.ok) throw authProblem(registered);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.useOffer.method,
    url: ENDPOINTS.useOffer.path,
    schema: { body: giveOfferSchema },
    handler: async ({ userId, ip, body }, reply) => {
      const used = await useOffer(deps, { ...body, userId, ip });
      if (!used.ok) throw authProblem(used);
      return reply.code(204).send();
    },
  });
};
