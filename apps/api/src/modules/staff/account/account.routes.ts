import {
  accountPasswordSchema,
  accountSchema,
  accountSettingsSchema,
  sessionParamsSchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { clearCookie } from '../sessions/cookies.ts';
import { passwordProblem, sessionNotFound } from '../staff.problems.ts';
import { changeAccount } from './change-account.ts';
import { changePassword } from './change-password.ts';
import { endSession } from './end-session.ts';
import { readAccount } from './read-account.ts';

/** A person's own account. */
export const accountRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.account, {
    schema: { response: { 200: accountSchema } },
    handler: ({ caller }) => readAccount(deps, personOf(caller)),
  });

  officeRoute(app, OFFICE_ENDPOINTS.changeAccount, {
    schema: { body: accountSettingsSchema },
    handler: async ({ caller, body }, reply) => {
      await changeAccount(deps, { caller, ...body });
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.changePassword, {
    schema: { body: accountPasswordSchema },
    handler: async (request, reply) => {
      const changed = await changePassword(deps, request, request.body);
      if (!changed.ok) throw passwordProblem(changed);
      clearCookie(deps.env, reply);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.endSession, {
    schema: { params: sessionParamsSchema },
    handler: async ({ caller, params }, reply) => {
      const ended = await endSession(deps, { caller: personOf(caller), sessionId: params.sessionId });
      if (!ended.ok) throw sessionNotFound();
      return reply.code(204).send();
    },
  });
};
