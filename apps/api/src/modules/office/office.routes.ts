import { OFFICE_ENDPOINTS } from '@brightpane/contract/endpoints';
import {
  franchiseAnswerSchema,
  franchiseParamsSchema,
  franchiseSettingsSchema,
  statusSchema,
  userActiveAnswerSchema,
  userActiveSchema,
  userParamsSchema,
} from '@brightpane/contract/office';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { changeFranchise } from './change-franchise.ts';
import { importRoute } from './import/import.routes.ts';
import { franchiseNotFound, userNotFound } from './office.problems.ts';
import { readStatus } from './read-status.ts';
import { switchUser } from './switch-user.ts';

export const officeRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  await instance.register(importRoute, { deps });
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: OFFICE_ENDPOINTS.franchise.method,
    url: OFFICE_ENDPOINTS.franchise.path,
    schema: {
      params: franchiseParamsSchema,
      body: franchiseSettingsSchema,
      response: { 200: franchiseAnswerSchema },
    },
    handler: async (request) => {
      const changed = await changeFranchise(deps, {
        franchiseId: request.params.franchiseId,
        settings: request.body,
      });
      if (!changed.ok) throw franchiseNotFound();
      return changed.value;
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.switchUser.method,
    url: OFFICE_ENDPOINTS.switchUser.path,
    schema: { params: userParamsSchema, body: userActiveSchema, response: { 200: userActiveAnswerSchema } },
    handler: async (request) => {
      const switched = await switchUser(deps, {
        email: request.params.email,
        active: request.body.active,
      });
      if (!switched.ok) throw userNotFound();
      return switched.value;
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.status.method,
    url: OFFICE_ENDPOINTS.status.path,
    schema: { response: { 200: statusSchema } },
    handler: () => readStatus(deps),
  });
};
