import {
  invoiceFiltersSchema,
  invoiceListQuerySchema,
  invoiceParamsSchema,
  officeInvoiceListSchema,
  officeInvoiceSchema,
} from '@brightpane/contract/office/invoices';
import { officeNoteAnswerSchema, officeNoteTextSchema } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { officeRoute, withoutStepUp } from '../../../http/office-route.ts';
import { answerOnce } from '../../acts/answer-once.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { admitList } from '../lists/list-limits.ts';
import { listProblem } from '../lists/list-problem.ts';
import { sendCsv } from '../lists/send-csv.ts';
import { officeInvoiceNotFound } from './console-invoices.problems.ts';
import { exportInvoices } from './export-invoices.ts';
import { listInvoices } from './list-invoices.ts';
import { noteInvoice } from './note-invoice.ts';
import { readInvoice } from './read-invoice.ts';

/** Invoices as an office sees them. */
export const consoleInvoicesRoutes: FastifyPluginAsync<{ deps: Deps }> = async (app, { deps }) => {
  officeRoute(app, OFFICE_ENDPOINTS.invoices, {
    schema: { querystring: invoiceListQuerySchema, response: { 200: officeInvoiceListSchema } },
    handler: async ({ caller, query }) => {
      await admitList(deps, caller);
      const list = await listInvoices(deps, { ...query, caller });
      if (!list.ok) throw listProblem(list);
      return list.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.exportInvoices, {
    schema: { querystring: invoiceFiltersSchema },
    handler: async (request, reply) => {
      const filters = withoutStepUp(request.query);
      const exported = await exportInvoices(deps, {
        caller: request.caller,
        filters,
        confirm: (tx) => spendStepUp(tx, request),
      });
      if (!exported.ok) throw listProblem(exported);
      return sendCsv(reply, exported.value);
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.invoice, {
    schema: { params: invoiceParamsSchema, response: { 200: officeInvoiceSchema } },
    handler: async ({ caller, params }) => {
      const invoice = await readInvoice(deps, { ...params, actorId: caller.id });
      if (!invoice.ok) throw officeInvoiceNotFound();
      return invoice.value;
    },
  });

  officeRoute(app, OFFICE_ENDPOINTS.noteInvoice, {
    schema: {
      params: invoiceParamsSchema,
      body: officeNoteTextSchema,
      response: { 201: officeNoteAnswerSchema },
    },
    handler: (request, reply) =>
      answerOnce(deps, request, reply, async (tx) => {
        const { caller, params, body } = request;
        const noted = await noteInvoice(tx, { ...params, ...body, by: caller });
        if (!noted.ok) throw officeInvoiceNotFound();
        return { status: 201, body: { noteId: noted.value } };
      }),
  });
};
