import {
  confirmAppSchema,
  factorAddedSchema,
  factorNameSchema,
  factorParamsSchema,
  newAppSchema,
  noDetailsSchema,
  recoveryCodesSchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { factorNotFound, lastFactor, sessionProblem } from '../staff.problems.ts';
import { addApp } from './add-app.ts';
import { confirmNewApp } from './confirm-app.ts';
import { removeFactor } from './remove-factor.ts';
import { renameOwnFactor } from './rename-factor.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';

/** A person's second factors. */
export const factorsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.addApp, {
    schema: { body: noDetailsSchema, response: { 200: newAppSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => ({
        status: 200,
        body: await addApp(deps, tx, request.caller),
      })),
  });

  officeRoute(app, OFFICE_ENDPOINTS.confirmApp, {
    schema: { body: confirmAppSchema, response: { 200: factorAddedSchema } },
    handler: async (request, reply) => {
      const confirmed = await confirmNewApp(deps, { ...request.body, request, reply });
      if (confirmed.ok) return confirmed.value;
      throw confirmed.code === 'not-found' ? factorNotFound() : sessionProblem(confirmed);
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.renameFactor, {
    schema: { params: factorParamsSchema, body: factorNameSchema },
    handler: async ({ caller, params, body }, reply) => {
      const renamed = await renameOwnFactor(deps, { caller, ...params, ...body });
      if (!renamed.ok) throw factorNotFound();
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.removeFactor, {
    schema: { params: factorParamsSchema },
    handler: async (request, reply) => {
      const removed = await removeFactor(deps, request, request.params);
      if (!removed.ok) throw removed.code === 'not-found' ? factorNotFound() : lastFactor();
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.renewRecoveryCodes, {
    schema: { body: noDetailsSchema, response: { 201: recoveryCodesSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        await spendStepUp(tx, request);
        const { caller } = request;
        const recoveryCodes = await renewRecoveryCodes(tx, { staffId: caller.id, by: caller });
        return { status: 201, body: { recoveryCodes } };
      }),
  });
};
