import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { comparisonSchema, reviewAnswerSchema, reviewListSchema } from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { compareBooks } from '../books/compare-books.ts';
import { listReview } from './list-review.ts';
import { reviewProblem } from './review.problems.ts';
import { REVIEW_DECISIONS, reviewCharge } from './review-charge.ts';

const decisionSchema = z.object({
  chargeId: z.uuid('Name a charge by its chargeId, as review lists it.'),
  decision: z.enum(REVIEW_DECISIONS),
});

/** What people do about the charges that the machine leaves to them. */
export const reviewRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.review, {
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

  officeRoute(app, OFFICE_ENDPOINTS.decide, {
    schema: { params: decisionSchema, response: { 200: reviewAnswerSchema } },
    handler: async (request) => {
      const reviewed = await reviewCharge(deps, { ...request.params, actor: request.caller });
      if (!reviewed.ok) throw reviewProblem(reviewed.code);
      return { chargeId: request.params.chargeId, state: reviewed.value.state };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.reconcile, {
    schema: { response: { 200: comparisonSchema } },
    handler: () => compareBooks(deps),
  });
};
