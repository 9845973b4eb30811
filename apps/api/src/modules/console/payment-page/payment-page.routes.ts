import {
  creditLookParamsSchema,
  lookedAtSchema,
  officeNoteAnswerSchema,
  officeNoteTextSchema,
  paymentParamsSchema,
  paymentSchema,
  sendReceiptAnswerSchema,
  sendReceiptSchema,
} from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { officeRoute } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { creditNotFound, paymentNotFound, receiptProblem } from '../payments/payments.problems.ts';
import { addPaymentNote } from './add-payment-note.ts';
import { lookAtCredit } from './look-at-credit.ts';
import { readPayment } from './read-payment.ts';
import { sendReceipt } from './send-receipt.ts';

/** One payment, and what an office can do about it. */
export const paymentPageRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.payment, {
    schema: { params: paymentParamsSchema, response: { 200: paymentSchema } },
    handler: async ({ caller, params }) => {
      const payment = await readPayment(deps, { caller, ...params });
      if (!payment.ok) throw paymentNotFound();
      return payment.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.sendReceipt, {
    schema: {
      params: paymentParamsSchema,
      body: sendReceiptSchema,
      response: { 202: sendReceiptAnswerSchema },
    },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const sent = await sendReceipt(deps, tx, { caller, ...params, email: body.email });
        if (!sent.ok) throw receiptProblem(sent);
        return { status: 202, body: sent.value };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.addPaymentNote, {
    schema: {
      params: paymentParamsSchema,
      body: officeNoteTextSchema,
      response: { 201: officeNoteAnswerSchema },
    },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const added = await addPaymentNote(tx, { caller, ...params, text: body.text });
        if (!added.ok) throw paymentNotFound();
        return { status: 201, body: added.value };
      }),
  });

  officeRoute(app, OFFICE_ENDPOINTS.lookAtCredit, {
    schema: { params: creditLookParamsSchema, body: lookedAtSchema, response: { 204: z.null() } },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const looked = await lookAtCredit(tx, { caller, ...params, note: body.note });
        if (!looked.ok) throw creditNotFound();
        return { status: 204, body: null };
      }),
  });
};
