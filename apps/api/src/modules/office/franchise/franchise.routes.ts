import {
  franchiseAnswerSchema,
  franchiseParamsSchema,
  franchiseSettingsSchema,
} from '@brightpane/contract/office';
import {
  franchiseSettingsPageSchema,
  keysTestSchema,
  testedKeysSchema,
} from '@brightpane/contract/office/settings';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { readPersonsVersion } from '../../acts/read-seen-version.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { changeFranchise } from './change-franchise.ts';
import { settingsProblem, versionRequired } from './franchise.problems.ts';
import { readFranchise } from './read-franchise.ts';
import { testKeys } from './test-keys.ts';

/** A franchise's settings, and the keys that its cards are charged with. */
export const franchiseRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.franchiseSettings, {
    schema: { params: franchiseParamsSchema, response: { 200: franchiseSettingsPageSchema } },
    handler: async (request) => {
      const { franchiseId } = request.params;
      const read = await readFranchise(deps, { franchiseId, reader: request.caller });
      if (!read.ok) throw settingsProblem(read.code);
      return read.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.franchise, {
    schema: {
      params: franchiseParamsSchema,
      body: franchiseSettingsSchema,
      response: { 200: franchiseAnswerSchema },
    },
    handler: async (request) => {
      const changed = await changeFranchise(deps, {
        franchiseId: request.params.franchiseId,
        settings: request.body,
        by: request.caller,
        version: readPersonsVersion(request, { orElse: versionRequired }),
        confirm: (tx) => spendStepUp(tx, request),
      });
      if (!changed.ok) throw settingsProblem(changed.code);
      return changed.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.testKeys, {
    schema: { params: franchiseParamsSchema, body: testedKeysSchema, response: { 200: keysTestSchema } },
    handler: async (request) => {
      const { franchiseId } = request.params;
      const tested = await testKeys(deps, { franchiseId, keys: request.body, by: request.caller });
      if (!tested.ok) throw settingsProblem(tested.code);
      return tested.value;
    },
  });
};
