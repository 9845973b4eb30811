import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { invoiceSchema, threeNumbersSchema } from '@brightpane/contract/invoices';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { findInvoice } from './find-invoice.ts';
import { presentInvoice } from './invoices.presenter.ts';
import { invoiceNotFound } from './invoices.problems.ts';

export const invoicesRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.searchInvoice.method,
    url: ENDPOINTS.searchInvoice.path,
    schema: { body: threeNumbersSchema, response: { 200: invoiceSchema } },
    handler: async (request) => {
      const found = await findInvoice(deps, request.body);
      if (!found.ok) throw invoiceNotFound();
      return presentInvoice(deps, found.value);
    },
  });
};
