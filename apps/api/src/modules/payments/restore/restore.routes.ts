import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import {
  foundPaymentAnswerSchema,
  foundPaymentsSchema,
  movedAnswerSchema,
  movedSchema,
  restoredAnswerSchema,
  restoredSchema,
} from '@brightpane/contract/review';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { HttpProblem } from '../../../http/problem.ts';
import { readPersonsVersion } from '../../acts/read-seen-version.ts';
import { reviewEditedMeanwhile, reviewVersionRequired } from '../../acts/review-version.problems.ts';
import { acknowledgeFoundPayment } from './acknowledge-found-payment.ts';
import { listFoundPayments } from './list-found-payments.ts';
import { startComparison } from './start-comparison.ts';
import { takeOverAddress } from './take-over-address.ts';

const orderSchema = z.object({
  orderId: z.string().regex(/^[a-z0-9-]{1,32}$/, 'Name an order as found lists it.'),
});

/** Actions after the database was put back to an earlier moment, or moved. */
export const restoreRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.restored, {
    schema: { body: restoredSchema, response: { 200: restoredAnswerSchema } },
    handler: async (request) => {
      const { since } = request.body;
      await startComparison(deps, {
        since: since === undefined ? null : new Date(since),
        actor: request.caller,
      });
      return { isClosed: true };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.moved, {
    schema: { body: movedSchema, response: { 200: movedAnswerSchema } },
    handler: async ({ body: { from }, caller }) => {
      const addresses = await takeOverAddress(deps, { from, actor: caller });
      if (addresses.length === 0) {
        throw new HttpProblem(404, `No payment in these books was begun at another address ${from}.`);
      }
      return { addresses };
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.foundPayments, {
    schema: { response: { 200: foundPaymentsSchema } },
    handler: async () => {
      const found = await listFoundPayments(deps);
      return found.map(
        ({ orderId, reference, franchiseName, state, isUnnamed, version, workOrders, amountCents }) => ({
          orderId,
          reference,
          franchiseName,
          state,
          isUnnamed,
          version,
          workOrders,
          amount: toDollars(cents(amountCents)),
        }),
      );
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.acknowledgeFoundPayment, {
    schema: { params: orderSchema, response: { 200: foundPaymentAnswerSchema } },
    handler: async (request) => {
      const { orderId } = request.params;
      const version = readPersonsVersion(request, { orElse: reviewVersionRequired });
      const done = await acknowledgeFoundPayment(deps, { orderId, version, actor: request.caller });
      if (done === 'not-found')
        throw new HttpProblem(404, 'No such payment was found, or it is acknowledged.');
      if (done === 'edited-meanwhile') throw reviewEditedMeanwhile();
      return { orderId };
    },
  });
};
