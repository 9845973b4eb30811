import {
  accountDataSchema,
  accountSchema,
  changeEmailSchema,
  changePasswordSchema,
  confirmEmailChangeSchema,
  endedSessionsSchema,
  passwordAgainSchema,
  sessionIdParamsSchema,
  sessionsSchema,
  undoEmailChangeSchema,
  updateAccountSchema,
} from '@brightpane/contract/customers/account';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { accountProblem } from './account.problems.ts';
import { changePassword } from './change-password.ts';
import { closeAccount } from './close/close-account.ts';
import { downloadData } from './download/download-data.ts';
import { askEmailChange } from './email-change/ask-email-change.ts';
import { cancelEmailChange } from './email-change/cancel-email-change.ts';
import { confirmEmailChange } from './email-change/confirm-email-change.ts';
import { undoEmailChange } from './email-change/undo-email-change.ts';
import { endOwnOtherSessions, endOwnSession } from './end-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { readAccount } from './read-account.ts';
import { updateDetails } from './update-details.ts';

/** A payer's own account. */
export const accountRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.account.method,
    url: ENDPOINTS.account.path,
    schema: { response: { 200: accountSchema } },
    handler: async ({ userId }) => readAccount(deps, userId),
  });

  app.route({
    method: ENDPOINTS.updateAccount.method,
    url: ENDPOINTS.updateAccount.path,
    schema: { body: updateAccountSchema },
    handler: async ({ userId, body }, reply) => {
      const updated = await updateDetails(deps, { userId, ...body });
      if (!updated.ok) throw accountProblem(updated);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.changeEmail.method,
    url: ENDPOINTS.changeEmail.path,
    schema: { body: changeEmailSchema },
    handler: async ({ userId, sessionId, ip, body }, reply) => {
      const asked = await askEmailChange(deps, { userId, sessionId, ip, ...body });
      if (!asked.ok) throw accountProblem(asked);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.cancelEmail.method,
    url: ENDPOINTS.cancelEmail.path,
    handler: async ({ userId }, reply) => {
      await cancelEmailChange(deps, userId);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.confirmEmailChange.method,
    url: ENDPOINTS.confirmEmailChange.path,
    schema: { body: confirmEmailChangeSchema },
    handler: async ({ ip, body }, reply) => {
      const confirmed = await confirmEmailChange(deps, { ...body, ip });
      if (!confirmed.ok) throw accountProblem(confirmed);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.undoEmailChange.method,
    url: ENDPOINTS.undoEmailChange.path,
    schema: { body: undoEmailChangeSchema },
    handler: async ({ ip, body }, reply) => {
      const undone = await undoEmailChange(deps, { ...body, ip });
      if (!undone.ok) throw accountProblem(undone);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.changePassword.method,
    url: ENDPOINTS.changePassword.path,
    schema: { body: changePasswordSchema },
    handler: async ({ userId, sessionId, ip, body }, reply) => {
      const changed = await changePassword(deps, { userId, sessionId, ip, ...body });
      if (!changed.ok) throw accountProblem(changed);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.sessions.method,
    url: ENDPOINTS.sessions.path,
    schema: { response: { 200: sessionsSchema } },
    handler: async ({ userId, sessionId }) => listSessions(deps, { userId, sessionId }),
  });

  app.route({
    method: ENDPOINTS.endSession.method,
    url: ENDPOINTS.endSession.path,
    schema: { params: sessionIdParamsSchema },
    handler: async ({ userId, params }, reply) => {
      const ended = await endOwnSession(deps, { userId, ...params });
      if (!ended.ok) throw accountProblem(ended);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.endOtherSessions.method,
    url: ENDPOINTS.endOtherSessions.path,
    schema: { response: { 200: endedSessionsSchema } },
    handler: async ({ userId, sessionId }) => ({
      ended: await endOwnOtherSessions(deps, { userId, sessionId }),
    }),
  });

  app.route({
    method: ENDPOINTS.exportData.method,
    url: ENDPOINTS.exportData.path,
    schema: { body: passwordAgainSchema, response: { 200: accountDataSchema } },
    handler: async ({ userId, sessionId, ip, body }, reply) => {
      const downloaded = await downloadData(deps, { userId, sessionId, ip, ...body });
      if (!downloaded.ok) throw accountProblem(downloaded);
      const { name, stream } = downloaded.value;
      return (
        reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}"`)
          // The route's type is the object of which the stream is the text.
          .send(stream as never)
      );
    },
  });

  app.route({
    method: ENDPOINTS.closeAccount.method,
    url: ENDPOINTS.closeAccount.path,
    schema: { body: passwordAgainSchema },
    handler: async ({ userId, sessionId, ip, body }, reply) => {
      const closed = await closeAccount(deps, { userId, sessionId, ip, ...body });
      if (!closed.ok) throw accountProblem(closed);
      return reply.code(204).send();
    },
  });
};
