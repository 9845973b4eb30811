import {
  demoEmailSchema,
  demoLinkSchema,
  demoSessionSchema,
  meSchema,
  moveClockSchema,
  movedClockSchema,
} from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { coded } from '../../../http/office.problems.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { demoStepUpRoutes } from '../step-up/step-up.routes.ts';
import { makeDemoLink } from './make-demo-link.ts';
import { moveClock } from './move-clock.ts';
import { openDemoLink } from './open-demo-link.ts';

const USED = 'This link was used already. Get a new one with: npm run portal -- staff demo-link';

/** Ways in without a password; registered only in the demo. */
export const demoRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  await app.register(demoStepUpRoutes, { deps });

  officeRoute(app, OFFICE_ENDPOINTS.demoSession, {
    schema: { body: demoSessionSchema, response: { 200: meSchema } },
    handler: async (request, reply) => {
      const opened = await openDemoLink(deps, { token: request.body.token, request, reply });
      if (!opened.ok) throw coded(400, 'InvalidToken', USED);
      return opened.value.me;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.moveClock, {
    schema: { body: moveClockSchema, response: { 200: movedClockSchema } },
    handler: async ({ body, caller }) => moveClock(deps, { ...body, by: caller }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.demoLink, {
    schema: { body: demoEmailSchema, response: { 201: demoLinkSchema } },
    handler: async ({ body, caller }, reply) => {
      const made = await makeDemoLink(deps, { email: body.email, by: caller });
      if (!made.ok) throw coded(404, 'NotFound', 'Nobody of the staff has this email address.');
      return reply.code(201).send({ link: made.value });
    },
  });
};
