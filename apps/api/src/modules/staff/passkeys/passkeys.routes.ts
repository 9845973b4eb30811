import {
  factorAddedSchema,
  meSchema,
  newPasskeySchema,
  noDetailsSchema,
  passkeyOptionsSchema,
  passkeySchema,
  stepUpActSchema,
  stepUpAnswerSchema,
  stepUpPasskeySchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { hashOfAct } from '../../acts/act-hash.ts';
import { sessionProblem, signInProblem } from '../staff.problems.ts';
import { addPasskey } from './add-passkey.ts';
import { mintChallenge } from './challenge-token.ts';
import { offerNewPasskey } from './offer-new-passkey.ts';
import { showPasskey, signInPurpose } from './show-passkey.ts';
import { stepUpByPasskey } from './step-up-by-passkey.ts';
import { requestOptions } from './webauthn.ts';

/** Signing in with a passkey, confirming an act with one, and adding another. */
export const passkeysRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.passkeyOptions, {
    schema: { body: noDetailsSchema, response: { 200: passkeyOptionsSchema } },
    handler: async ({ caller }) =>
      requestOptions(deps.env, { challenge: mintChallenge(deps, signInPurpose(caller)) }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.showPasskey, {
    schema: { body: passkeySchema, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const shown = await showPasskey(deps, { credential: request.body.credential, request, reply });
      if (!shown.ok) throw signInProblem(shown);
      return shown.value.me;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.stepUpPasskeyOptions, {
    schema: { body: stepUpActSchema, response: { 200: passkeyOptionsSchema } },
    handler: async ({ caller, body }) => {
      const { id: sessionId } = personOf(caller).session;
      const actHash = hashOfAct(body.act);
      const challenge = mintChallenge(deps, { purpose: 'step-up', sessionId, actHash });
      return requestOptions(deps.env, { challenge });
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.stepUpByPasskey, {
    schema: { body: stepUpPasskeySchema, response: { 200: stepUpAnswerSchema } },
    handler: async ({ caller, body }) => {
      const made = await stepUpByPasskey(deps, { caller: personOf(caller), ...body });
      if (!made.ok) throw sessionProblem(made);
      return made.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.newPasskeyOptions, {
    schema: { body: noDetailsSchema, response: { 200: passkeyOptionsSchema } },
    handler: async ({ caller }) => {
      const offered = await offerNewPasskey(deps, { caller: personOf(caller) });
      if (!offered.ok) throw sessionProblem(offered);
      return offered.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.addPasskey, {
    schema: { body: newPasskeySchema, response: { 200: factorAddedSchema } },
    handler: async (request, reply) => {
      const added = await addPasskey(deps, { ...request.body, request, reply });
      if (!added.ok) throw sessionProblem(added);
      return added.value;
    },
  });
};
