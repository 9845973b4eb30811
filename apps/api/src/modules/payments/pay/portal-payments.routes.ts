import { addPaymentMethodSchema } from '@brightpane/contract/customers/payment-methods';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { portalSaleAnswerSchema, portalSaleSchema } from '@brightpane/contract/invoices/payments';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { addPaymentMethod } from './card/add-payment-method.ts';
import { payInvoices } from './pay-invoices.ts';
import { readIdempotencyKey, readTermsVersion } from './read-payment-headers.ts';
import { refusalAnswer, sendPaymentAnswer } from './replay/payment-answer.ts';

/** Fits hundreds of work orders, each with a note. */
const BODY_BYTES = 256 * 1024;

/** Payments of a signed-in customer, and saving a card without paying. */
export const portalPaymentsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: ENDPOINTS.portalSale.method,
    url: ENDPOINTS.portalSale.path,
    bodyLimit: BODY_BYTES,
    schema: { body: portalSaleSchema, response: { 200: portalSaleAnswerSchema } },
    handler: async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key']);
      if (!key.ok) return sendPaymentAnswer(reply, refusalAnswer(key), 'customer');
      const { userId, body } = request;
      const answer = await payInvoices(deps, {
        userId,
        body,
        idempotencyKey: key.value,
        termsVersion: readTermsVersion(request.headers['terms-version'], deps.env.TERMS.version),
      });
      return sendPaymentAnswer(reply, answer, 'customer');
    },
  });

  app.route({
    method: ENDPOINTS.addPaymentMethod.method,
    url: ENDPOINTS.addPaymentMethod.path,
    schema: { body: addPaymentMethodSchema },
    handler: async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key']);
      if (!key.ok) return sendPaymentAnswer(reply, refusalAnswer(key), 'customer');
      const { paymentKey, street, postalCode } = request.body;
      const { userId } = request;
      const answer = await addPaymentMethod(deps, {
        userId,
        paymentKey,
        street,
        postalCode,
        idempotencyKey: key.value,
        address: clientAddress(request.ip),
      });
      return sendPaymentAnswer(reply, answer, 'customer');
    },
  });
};
