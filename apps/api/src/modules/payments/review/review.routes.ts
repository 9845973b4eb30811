import {
  acknowledgementSchema,
  differenceParamsSchema,
  differencesQuerySchema,
  differencesSchema,
  reviewDecisionSchema,
  reviewedChargeSchema,
} from '@brightpane/contract/office/review';
import { isTestimony, PROVABLE_DECISIONS } from '@brightpane/contract/office/review-decisions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { comparisonSchema, reviewAnswerSchema, reviewListSchema } from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { readPersonsVersion } from '../../acts/read-seen-version.ts';
import { reviewEditedMeanwhile, reviewVersionRequired } from '../../acts/review-version.problems.ts';
import { admitList } from '../../console/lists/list-limits.ts';
import { listProblem } from '../../console/lists/list-problem.ts';
import { compareBooks } from '../books/compare-books.ts';
import { acknowledgeDifference } from './acknowledge-difference.ts';
import { listDifferences } from './list-differences.ts';
import { listReview } from './list-review.ts';
import { differenceNotFound, reviewProblem } from './review.problems.ts';
import { reviewCharge } from './review-charge.ts';

const decisionSchema = z.object({
  chargeId: z.uuid('Name a charge by its chargeId, as review lists it.'),
  decision: z.enum(PROVABLE_DECISIONS, 'Please choose a decision.'),
});

/** Staff actions on charges that the sweep can't end. */
export const reviewRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.review, {
    schema: { response: { 200: reviewListSchema } },
    handler: async (request) => {
      const charges = await listReview(deps, { actorId: request.caller.id });
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
          franchiseNames: charge.franchiseNames,
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

  officeRoute(app, OFFICE_ENDPOINTS.decideCharge, {
    schema: {
      params: reviewedChargeSchema,
      body: reviewDecisionSchema,
      response: { 200: reviewAnswerSchema },
    },
    handler: async (request) => {
      const { chargeId } = request.params;
      // A program has looked at nothing.
      if (isTestimony(request.body.decision) && request.caller.kind !== 'staff') {
        throw reviewProblem('not-a-person');
      }
      const reviewed = await reviewCharge(deps, { chargeId, ...request.body, actor: request.caller });
      if (!reviewed.ok) throw reviewProblem(reviewed.code);
      return { chargeId, state: reviewed.value.state };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.reconcile, {
    schema: { response: { 200: comparisonSchema } },
    handler: (request) => compareBooks(deps, request.caller),
  });

  officeRoute(app, OFFICE_ENDPOINTS.differences, {
    schema: { querystring: differencesQuerySchema, response: { 200: differencesSchema } },
    handler: async (request) => {
      await admitList(deps, request.caller);
      const { state, cursor } = request.query;
      const listed = await listDifferences(deps, { state, cursor });
      if (!listed.ok) throw listProblem(listed);
      const { items, ...page } = listed.value;
      return {
        ...page,
        items: items.map(({ amountCents, ...item }) => ({ ...item, amount: toDollars(cents(amountCents)) })),
      };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.acknowledgeDifference, {
    schema: { params: differenceParamsSchema, body: acknowledgementSchema },
    handler: async (request, reply) => {
      const { differenceId } = request.params;
      const { note } = request.body;
      const version = readPersonsVersion(request, { orElse: reviewVersionRequired });
      const actor = request.caller;
      const done = await acknowledgeDifference(deps, { differenceId, version, note, actor });
      if (done === 'not-found') throw differenceNotFound();
      if (done === 'edited-meanwhile') throw reviewEditedMeanwhile();
      return reply.code(204).send();
    },
  });
};
