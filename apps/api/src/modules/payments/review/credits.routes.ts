import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { creditAnswerSchema, creditParamsSchema, creditsSchema } from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { HttpProblem } from '../../../http/problem.ts';
import { listUnseenCredits } from './list-unseen-credits.ts';
import { lookAtUnmailedCredit } from './look-at-unmailed-credit.ts';

/** Credits of franchises without a mail address. */
export const creditsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.credits, {
    schema: { response: { 200: creditsSchema } },
    handler: async () => {
      const credits = await listUnseenCredits(deps);
      return credits.map(({ creditCents, ...credit }) => ({
        ...credit,
        amount: toDollars(cents(creditCents)),
      }));
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.creditSeen, {
    schema: { params: creditParamsSchema, response: { 200: creditAnswerSchema } },
    handler: async (request) => {
      const looked = await lookAtUnmailedCredit(deps, { ...request.params, caller: request.caller });
      if (!looked.ok) throw new HttpProblem(404, 'No such credit was given, or somebody has seen it.');
      return looked.value;
    },
  });
};
