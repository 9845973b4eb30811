import {
  statusSchema,
  userActiveAnswerSchema,
  userActiveSchema,
  userParamsSchema,
} from '@brightpane/contract/office';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { officeRoute } from '../../http/office-route.ts';
import { franchiseRoutes } from './franchise/franchise.routes.ts';
import { importRoute } from './import/import.routes.ts';
import { importsRoutes } from './import-history/import-history.routes.ts';
import { readStatus } from './read-status.ts';
import { userNotFound } from './switch-user.problems.ts';
import { switchUser } from './switch-user.ts';

export const officeRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  await app.register(importRoute, { deps });
  await app.register(importsRoutes, { deps });
  await app.register(franchiseRoutes, { deps });

  officeRoute(app, OFFICE_ENDPOINTS.switchUser, {
    schema: { params: userParamsSchema, body: userActiveSchema, response: { 200: userActiveAnswerSchema } },
    handler: async (request) => {
      const switched = await switchUser(deps, {
        email: request.params.email,
        active: request.body.active,
        by: request.caller,
      });
      if (!switched.ok) throw userNotFound();
      return switched.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.status, {
    schema: { response: { 200: statusSchema } },
    handler: () => readStatus(deps),
  });
};
