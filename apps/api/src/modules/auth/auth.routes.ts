import { loginSchema, refreshSchema, tokensSchema } from '@brightpane/contract/customers/authentication';
import {
  confirmResetPasswordSchema,
  confirmSchema,
  emailSchema,
  registerSchema,
  userSchema,
} from '@brightpane/contract/customers/users';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { authProblem } from './auth.problems.ts';
import { confirmEmail } from './mailbox/confirm-email.ts';
import { requestMail } from './mailbox/request-mail.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { describeDevice, UNKNOWN_BROWSER } from './sessions/describe-device.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import { signIn } from './sessions/sign-in.ts';
import { signOut } from './sessions/sign-out.ts';
import { findUser } from './users/find-user.ts';
import { registerUser } from './users/register-user.ts';

type Options = {
  deps: Deps;
  /** Runs work that waits for a person's sign-in, before the answer is sent. */
  afterSignIn: (userId: string) => Promise<void>;
};

export const authRoutes: FastifyPluginAsync<Options> = async (instance, { deps, afterSignIn }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.login.method,
    url: ENDPOINTS.login.path,
    schema: { body: loginSchema, response: { 200: tokensSchema } },
    handler: async (request) => {
      const device = describeDevice(request.headers['user-agent'], UNKNOWN_BROWSER);
      const signedIn = await signIn(deps, { ...request.body, ip: request.ip, device });
      if (!signedIn.ok) throw authProblem(signedIn);
      const { userId, tokens } = signedIn.value;
      await afterSignIn(userId);
      return tokens;
    },
  });

  app.route({
    method: ENDPOINTS.refresh.method,
    url: ENDPOINTS.refresh.path,
    schema: { body: refreshSchema, response: { 200: tokensSchema } },
    handler: async (request) => {
      const refreshed = await refreshSession(deps, request.body);
      if (!refreshed.ok) throw authProblem(refreshed);
      return refreshed.value;
    },
  });

  app.route({
    method: ENDPOINTS.logout.method,
    url: ENDPOINTS.logout.path,
    schema: { body: refreshSchema },
    handler: async (request, reply) => {
      await signOut(deps, request.body);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.register.method,
    url: ENDPOINTS.register.path,
    schema: { body: registerSchema },
    handler: async (request, reply) => {
      const registered = await registerUser(deps, { ...request.body, ip: request.ip });
      if (!registered.ok) throw authProblem(registered);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.confirm.method,
    url: ENDPOINTS.confirm.path,
    schema: { body: confirmSchema },
    handler: async (request, reply) => {
      const confirmed = await confirmEmail(deps, { ...request.body, ip: request.ip });
      if (!confirmed.ok) throw authProblem(confirmed);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.resendEmailConfirmation.method,
    url: ENDPOINTS.resendEmailConfirmation.path,
    schema: { body: emailSchema },
    handler: async (request, reply) => {
      const { email } = request.body;
      const requested = await requestMail(deps, { purpose: 'confirm', email, ip: request.ip });
      if (!requested.ok) throw authProblem(requested);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.user.method,
    url: ENDPOINTS.user.path,
    schema: { response: { 200: userSchema } },
    handler: async (request) => findUser(deps, { userId: request.userId }),
  });

  app.route({
    method: ENDPOINTS.resetPassword.method,
    url: ENDPOINTS.resetPassword.path,
    schema: { querystring: emailSchema },
    handler: async (request, reply) => {
      const { email } = request.query;
      const requested = await requestMail(deps, { purpose: 'reset', email, ip: request.ip });
      if (!requested.ok) throw authProblem(requested);
      return reply.code(204).send();
    },
  });

  app.route({
    method: ENDPOINTS.confirmResetPassword.method,
    url: ENDPOINTS.confirmResetPassword.path,
    schema: { body: confirmResetPasswordSchema },
    handler: async (request, reply) => {
      const { passwordToken, ...body } = request.body;
      const reset = await resetPassword(deps, { ...body, token: passwordToken, ip: request.ip });
      if (!reset.ok) throw authProblem(reset);
      return reply.code(204).send();
    },
  });
};
