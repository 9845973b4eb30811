import { locationIdParamsSchema, locationsSchema } from '@brightpane/contract/customers/locations';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { invoicesSchema, threeNumbersSchema } from '@brightpane/contract/invoices/invoices';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { authProblem } from '../auth/auth.problems.ts';
import { presentInvoice } from '../invoices/invoices.presenter.ts';
import { linkLocation } from './link-location.ts';
import { listLocationHistory } from './list-location-history.ts';
import { listLocations } from './list-locations.ts';
import { locationNotFound } from './locations.problems.ts';
import { unlinkLocation } from './unlink-location.ts';

export const locationsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.locations.method,
    url: ENDPOINTS.locations.path,
    schema: { response: { 200: locationsSchema } },
    handler: ({ userId }) => listLocations(deps, { userId }),
  });

  app.route({
    method: ENDPOINTS.addLocation.method,
    url: ENDPOINTS.addLocation.path,
    schema: { body: threeNumbersSchema },
    handler: async ({ userId, ip, body }, reply) => {
      const linked = await linkLocation(deps, { userId, ip, numbers: body });
      if (linked.ok) return reply.code(204).send();
      throw linked.code === 'not-found' ? locationNotFound() : authProblem(linked);
    },
  });

  app.route({
    method: ENDPOINTS.removeLocation.method,
    url: ENDPOINTS.removeLocation.path,
    schema: { params: locationIdParamsSchema },
    handler: async ({ userId, params }, reply) => {
      const unlinked = await unlinkLocation(deps, { userId, ...params });
      if (!unlinked.ok) throw locationNotFound();
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.locationHistory.method,
    url: ENDPOINTS.locationHistory.path,
    schema: { params: locationIdParamsSchema, response: { 200: invoicesSchema } },
    handler: async ({ userId, params }) => {
      const history = await listLocationHistory(deps, { userId, ...params });
      if (!history.ok) throw locationNotFound();
      return history.value.map((row) => presentInvoice(deps, row));
    },
  });
};
