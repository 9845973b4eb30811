import {
  addApiKeySchema,
  apiKeyAddedSchema,
  apiKeyParamsSchema,
  apiKeysSchema,
} from '@brightpane/contract/office/staff';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { coded } from '../../../http/office.problems.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { addApiKey } from './add-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const keyNotFound = () => coded(404, 'NotFound', 'There is no such key.');
const settingsKey = () =>
  coded(409, 'SettingsKey', 'This key stands in the settings of the portal, and is taken away there.');

/** API keys of offices' programs. */
export const apiKeysRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.apiKeys, {
    schema: { response: { 200: apiKeysSchema } },
    handler: async () => ({ items: await listApiKeys(deps) }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.addApiKey, {
    schema: { body: addApiKeySchema, response: { 201: apiKeyAddedSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const added = await addApiKey(tx, request, request.body);
        if (!added.ok) throw coded(404, 'NotFound', 'This franchise is not known.', 'franchiseId');
        return { status: 201, body: added.value };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.revokeApiKey, {
    schema: { params: apiKeyParamsSchema },
    handler: async (request, reply) => {
      const revoked = await revokeApiKey(deps, request, request.params);
      if (!revoked.ok) throw revoked.code === 'not-found' ? keyNotFound() : settingsKey();
      return reply.code(204).send();
    },
  });
};
