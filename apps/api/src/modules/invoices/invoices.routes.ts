import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { invoiceSchema, invoicesSchema, threeNumbersSchema } from '@brightpane/contract/invoices/invoices';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { ZodTypeProvider } from '../../http/schema.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';
import { findInvoiceForGuest } from './find-invoice-for-guest.ts';
import { presentInvoice } from './invoices.presenter.ts';
import { invoiceNotFound } from './invoices.problems.ts';
import { listUnpaidInvoices } from './list-unpaid-invoices.ts';

export const invoicesRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.searchInvoice.method,
    url: ENDPOINTS.searchInvoice.path,
    schema: { body: threeNumbersSchema, response: { 200: invoiceSchema } },
    handler: async (request) => {
      const found = await findInvoiceForGuest(deps, { ...request.body, ip: request.ip });
      if (!found.ok) throw found.code === 'not-found' ? invoiceNotFound() : tooManyAttempts(found);
      return presentInvoice(deps, found.value);
    },
  });

  app.route({
    method: ENDPOINTS.invoices.method,
    url: ENDPOINTS.invoices.path,
    schema: { response: { 200: invoicesSchema } },
    handler: async ({ userId }) => {
      const invoices = await listUnpaidInvoices(deps, { userId });
      return invoices.map((row) => presentInvoice(deps, row));
    },
  });
};
