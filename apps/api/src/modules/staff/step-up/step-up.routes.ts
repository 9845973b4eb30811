import { stepUpActSchema, stepUpAnswerSchema, stepUpTotpSchema } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { notAllowed } from '../../../http/office.problems.ts';
import { personOf } from '../../../http/office-caller.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { ok } from '../../../http/result.ts';
import { sessionProblem } from '../staff.problems.ts';
import { checkSessionCode } from './check-session-code.ts';
import { makeStepUp } from './make-step-up.ts';

/** Confirming one act with a second factor. */
export const stepUpRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.stepUpByCode, {
    schema: { body: stepUpTotpSchema, response: { 200: stepUpAnswerSchema } },
    handler: async (request) => {
      const caller = personOf(request.caller);
      const { code, act } = request.body;
      const made = await checkSessionCode(deps, { caller, code }, async (tx, { factorId }) =>
        ok(await makeStepUp(tx, { caller, act, factorId })),
      );
      if (!made.ok) throw sessionProblem(made);
      return made.value;
    },
  });
};

/** In the demo, people confirm with a button. */
export const demoStepUpRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.stepUpAsDemo, {
    schema: { body: stepUpActSchema, response: { 200: stepUpAnswerSchema } },
    handler: async (request) => {
      const caller = personOf(request.caller);
      if (!caller.session.isDemo) throw notAllowed();
      return deps.db.transaction((tx) => makeStepUp(tx, { caller, act: request.body.act, factorId: null }));
    },
  });
};
