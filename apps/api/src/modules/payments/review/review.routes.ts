import { OFFICE_ENDPOINTS } from '@brightpane/contract/endpoints';
import { comparisonSchema, reviewAnswerSchema, reviewListSchema } from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { compareBooks } from '../books/compare-books.ts';
import { listReview } from './list-review.ts';
import { reviewProblem } from './review.problems.ts';
import { REVIEW_DECISIONS, reviewCharge } from './review-charge.ts';

const ACTOR = 'office';
const decisionSchema = z.object({
  chargeId: z.uuid('Name a charge by its chargeId, as review lists it.'),
  decision: z.enum(REVIEW_DECISIONS),
});

/** What people do about the charges that the machine leaves to them. */
export const reviewRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: OFFICE_ENDPOINTS.review.method,
    url: OFFICE_ENDPOINTS.review.path,
    schema: { response: { 200: reviewListSchema } },
    handler: async () => {
      const charges = await listReview(deps);
      return charges.map(
        ({ chargeId, state, orderId, transactionKey, reference, reviewSince, ...charge }) => ({
          chargeId,
          state,
          orderId,
          transactionKey,
          reference,
          reviewSince,
          amount: toDollars(cents(charge.amountCents)),
          workOrders: charge.workOrders,
        }),
      );
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.decide.method,
    url: OFFICE_ENDPOINTS.decide.path,
    schema: { params: decisionSchema, response: { 200: reviewAnswerSchema } },
    handler: async (request) => {
      const reviewed = await reviewCharge(deps, { ...request.params, actor: ACTOR });
      if (!reviewed.ok) throw reviewProblem(reviewed.code);
      return { chargeId: request.params.chargeId, state: reviewed.value.state };
    },
  });

  app.route({
    method: OFFICE_ENDPOINTS.reconcile.method,
    url: OFFICE_ENDPOINTS.reconcile.path,
    schema: { response: { 200: comparisonSchema } },
    handler: () => compareBooks(deps),
  });
};
