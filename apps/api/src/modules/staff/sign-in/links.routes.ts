import {
  officeResetConfirmSchema,
  officeResetSchema,
  welcomeAnswerSchema,
  welcomeSchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { authProblem } from '../../auth/auth.problems.ts';
import { requestMail } from '../../auth/mailbox/request-mail.ts';
import { welcomeStaff } from '../people/welcome-staff.ts';
import { passwordProblem } from '../staff.problems.ts';
import { resetStaffPassword } from './reset-staff-password.ts';

/** The calls behind the links of staff mails. */
export const linksRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.welcome, {
    schema: { body: welcomeSchema, response: { 200: welcomeAnswerSchema } },
    handler: async (request, reply) => {
      const welcomed = await welcomeStaff(deps, { ...request.body, request, reply });
      if (!welcomed.ok) throw passwordProblem(welcomed);
      return { next: 'enrol' as const };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.requestReset, {
    schema: { body: officeResetSchema },
    handler: async ({ body, ip }, reply) => {
      const requested = await requestMail(deps, { purpose: 'office-reset', email: body.email, ip });
      if (!requested.ok) throw authProblem(requested);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.confirmReset, {
    schema: { body: officeResetConfirmSchema },
    handler: async ({ body, ip }, reply) => {
      const reset = await resetStaffPassword(deps, { ...body, ip });
      if (!reset.ok) throw passwordProblem(reset);
      return reply.code(204).send();
    },
  });
};
