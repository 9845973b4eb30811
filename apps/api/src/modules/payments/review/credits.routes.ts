import { OFFICE_ENDPOINTS } from '@brightpane/contract/endpoints';
import { creditAnswerSchema, creditParamsSchema, creditsSchema } from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { HttpProblem } from '../../../http/problem.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { acknowledgeCredit } from './acknowledge-credit.ts';
import { listUnseenCredits } from './list-unseen-credits.ts';

const ACTOR = 'office';

/** The credits of franchises that have no address to mail them to. */
export const creditsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: OFFICE_ENDPOINTS.credits.method,
    url: OFFICE_ENDPOINTS.credits.path,
    schema: { response: { 200: creditsSchema } },
    handler: async () => {
      const credits = await listUnseenCredits(deps);
      return credits.map(({ creditCents, ...credit }) => ({
        ...credit,
        amount: toDollars(cents(creditCents)),
      }));
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.creditSeen.method,
    url: OFFICE_ENDPOINTS.creditSeen.path,
    schema: { params: creditParamsSchema, response: { 200: creditAnswerSchema } },
    handler: async (request) => {
      const seen = await acknowledgeCredit(deps, { ...request.params, actor: ACTOR });
      if (!seen.ok) throw new HttpProblem(404, 'No such credit was given, or somebody has seen it.');
      return seen.value;
    },
  });
};
