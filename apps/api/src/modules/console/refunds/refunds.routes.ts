import { paymentParamsSchema } from '@brightpane/contract/office/payments';
import {
  disputeAnswerSchema,
  disputeSchema,
  noFieldsSchema,
  refundDecisionSchema,
  refundListQuerySchema,
  refundListSchema,
  refundNoteSchema,
  refundPageSchema,
  refundParamsSchema,
  refundRequestAnswerSchema,
  refundSchema,
  requestRefundSchema,
} from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { formatUsd } from '@brightpane/money/cents';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { stepUpRequired } from '../../../http/office.problems.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { readSeenVersion } from '../../acts/read-seen-version.ts';
import { spendPersonsStepUp } from '../../acts/spend-step-up.ts';
import { admitList } from '../lists/list-limits.ts';
import { listProblem } from '../lists/list-problem.ts';
import { decideHeldRefund } from './decide-held-refund.ts';
import { recordDispute } from './disputes/record-dispute.ts';
import { listRefunds } from './list-refunds.ts';
import { readRefund } from './read-refund.ts';
import { chargeNotFound, disputeTooLarge, refundProblem } from './refunds.problems.ts';
import { approveRefund } from './requests/approve-refund.ts';
import { placeOnce } from './requests/place-once.ts';
import { type Placed, requestRefund } from './requests/request-refund.ts';
import { withdrawRefund } from './requests/withdraw-refund.ts';
import { sendRefundAgain } from './send-refund-again.ts';
import { showRefund, showRequest } from './show-refunds.ts';

/** Refunds: requesting, approving, deciding and viewing them. */
export const refundsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  const presented = async (caller: OfficeCaller, refundId: string) => {
    const refund = await showRefund(deps.db.query, { actorId: caller.id, refundId });
    if (!refund) throw refundProblem({ code: 'refund-not-found' });
    return refund;
  };
  const answer = (reply: FastifyReply, { caller, placed }: { caller: OfficeCaller; placed: Placed }) => {
    if (placed.isReplayed) reply.header('idempotency-replayed', 'true');
    reply.code(202);
    return showRequest(deps.db.query, { actorId: caller.id, ...placed });
  };

  officeRoute(app, OFFICE_ENDPOINTS.requestRefund, {
    schema: {
      params: paymentParamsSchema,
      body: requestRefundSchema,
      response: { 202: refundRequestAnswerSchema },
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request;
      const placed = await placeOnce(deps, request, (tx, by) =>
        requestRefund(deps, tx, { ...by, ...params, body }),
      );
      return answer(reply, { caller, placed });
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.refunds, {
    schema: { querystring: refundListQuerySchema, response: { 200: refundListSchema } },
    handler: async ({ caller, query }) => {
      await admitList(deps, caller);
      const { cursor, ...filters } = query;
      const listed = await listRefunds(deps, { caller, filters, cursor });
      if (!listed.ok) throw listProblem(listed);
      return listed.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.refund, {
    schema: { params: refundParamsSchema, response: { 200: refundPageSchema } },
    handler: async ({ caller, params }) => {
      const read = await readRefund(deps.db.query, { actorId: caller.id, ...params });
      if (!read.ok) throw refundProblem(read);
      return read.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.approveRefund, {
    schema: { params: refundParamsSchema, body: noFieldsSchema, response: { 200: refundSchema } },
    handler: async (request) => {
      const { caller, params } = request;
      await deps.db.transaction(async (tx) => {
        const confirm = () => spendPersonsStepUp(tx, request);
        const approved = await approveRefund(deps, tx, { caller, ...params, confirm });
        if (!approved.ok) throw refundProblem(approved);
      });
      return presented(caller, params.refundId);
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.withdrawRefund, {
    schema: { params: refundParamsSchema, body: refundNoteSchema, response: { 200: refundSchema } },
    handler: async ({ caller, params, body }) => {
      await deps.db.transaction(async (tx) => {
        const withdrawn = await withdrawRefund(deps, tx, { caller, ...params, ...body });
        if (!withdrawn.ok) throw refundProblem(withdrawn);
      });
      return presented(caller, params.refundId);
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.decideRefund, {
    schema: { params: refundParamsSchema, body: refundDecisionSchema, response: { 200: refundSchema } },
    handler: async (request) => {
      const { caller, params, body } = request;
      const decided = await decideHeldRefund(deps, {
        caller,
        ...params,
        ...body,
        version: readSeenVersion(request.headers),
        requireFactor: () => {
          if (request.headers['x-step-up'] === undefined) throw stepUpRequired();
        },
        confirm: (tx) => spendPersonsStepUp(tx, request),
      });
      if (!decided.ok) throw refundProblem(decided);
      return presented(caller, params.refundId);
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.sendRefundAgain, {
    schema: {
      params: refundParamsSchema,
      body: noFieldsSchema,
      response: { 202: refundRequestAnswerSchema },
    },
    handler: async (request, reply) => {
      const { caller, params } = request;
      const placed = await placeOnce(deps, request, (tx, by) =>
        sendRefundAgain(deps, tx, { ...by, ...params }),
      );
      return answer(reply, { caller, placed });
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.recordDispute, {
    schema: { body: disputeSchema, response: { 201: disputeAnswerSchema } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, body } = request;
        const { chargeId, amount, openedOn, answerBy = null, note = null } = body;
        const recorded = await recordDispute(tx, {
          caller,
          chargeId,
          amountCents: amount,
          openedOn,
          answerBy,
          note,
        });
        if (recorded.ok) return { status: 201, body: recorded.value };
        throw recorded.code === 'charge-not-found'
          ? chargeNotFound()
          : disputeTooLarge(formatUsd(recorded.mostCents));
      }),
  });
};
