import { invitationsSchema } from '@brightpane/contract/customers/invitations';
import { acceptInviteSchema } from '@brightpane/contract/customers/users';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { inviteCustomerAnswerSchema, inviteCustomerSchema } from '@brightpane/contract/office';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { officeRoute } from '../../http/office-route.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { answerOnce } from '../acts/answer-once.ts';
import { authProblem } from '../auth/auth.problems.ts';
import { acceptInvitations } from './accept-invitations.ts';
import { acceptInvite } from './accept-invite.ts';
import { inviteProblem, noInvitation } from './invitations.problems.ts';
import { inviteCustomer } from './invite-customer.ts';
import { listInvitations } from './list-invitations.ts';

/** Calls by invited people. */
export const invitationsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.invitations.method,
    url: ENDPOINTS.invitations.path,
    schema: { response: { 200: invitationsSchema } },
    handler: async (request) => listInvitations(deps, { userId: request.userId }),
  });

  app.route({
    method: ENDPOINTS.acceptInvitations.method,
    url: ENDPOINTS.acceptInvitations.path,
    handler: async (request, reply) => {
      const accepted = await acceptInvitations(deps, { userId: request.userId });
      if (!accepted.ok) throw noInvitation();
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.acceptInvite.method,
    url: ENDPOINTS.acceptInvite.path,
    schema: { body: acceptInviteSchema },
    handler: async (request, reply) => {
      const accepted = await acceptInvite(deps, { ...request.body, ip: request.ip });
      if (!accepted.ok) throw authProblem(accepted);
      return reply.code(204).send();
    },
  });
};

/** The office's call that invites people. */
export const officeInvitationsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.invite, {
    schema: { body: inviteCustomerSchema, response: { 201: inviteCustomerAnswerSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const invited = await inviteCustomer(deps, tx, { ...request.body, by: request.caller });
        if (!invited.ok) throw inviteProblem(invited);
        return { status: 201, body: { invitationId: invited.value } };
      }),
  });
};
