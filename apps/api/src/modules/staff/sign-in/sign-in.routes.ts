import {
  meSchema,
  officeLoginSchema,
  recoveryCodeSchema,
  resumeSchema,
  signInStartedSchema,
  totpCodeSchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { resumeWithPasskey } from '../passkeys/show-passkey.ts';
import { clearCookie } from '../sessions/cookies.ts';
import { readMe } from '../sessions/read-me.ts';
import { sessionProblem, signInProblem } from '../staff.problems.ts';
import { resumeWithCode } from './resume.ts';
import { showCode } from './show-code.ts';
import { showRecoveryCode } from './show-recovery-code.ts';
import { signInToOffice } from './sign-in.ts';
import { signOutOfOffice } from './sign-out.ts';

/** Signing in: a password, then a second factor. */
export const signInRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.signIn, {
    schema: { body: officeLoginSchema, response: { 200: signInStartedSchema } },
    handler: async (request, reply) => {
      const started = await signInToOffice(deps, { ...request.body, request, reply });
      if (!started.ok) throw signInProblem(started);
      return started.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.showCode, {
    schema: { body: totpCodeSchema, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const { id: staffId, session } = personOf(request.caller);
      const shown = await showCode(deps, {
        staffId,
        sessionId: session.id,
        code: request.body.code,
        request,
        reply,
      });
      if (!shown.ok) throw signInProblem(shown);
      return shown.value.me;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.showRecoveryCode, {
    schema: { body: recoveryCodeSchema, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const { id: staffId } = request.caller;
      const shown = await showRecoveryCode(deps, { staffId, code: request.body.code, request, reply });
      if (!shown.ok) throw signInProblem(shown);
      return shown.value.me;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.resume, {
    schema: { body: resumeSchema, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const { body } = request;
      const resumed =
        'code' in body
          ? await resumeWithCode(deps, { code: body.code, request, reply })
          : await resumeWithPasskey(deps, { credential: body.credential, request, reply });
      if (!resumed.ok) throw sessionProblem(resumed);
      return resumed.value.me;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.signOut, {
    handler: async (request, reply) => {
      if (request.caller) await signOutOfOffice(deps, request.caller);
      clearCookie(deps.env, reply);
      return reply.code(204).send();
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.me, {
    schema: { response: { 200: meSchema } },
    handler: ({ caller }) => readMe(deps.db.query, personOf(caller).session.id),
  });
};
