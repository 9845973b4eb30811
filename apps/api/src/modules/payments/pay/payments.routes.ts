import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { guestSaleAnswerSchema, guestSaleSchema } from '@brightpane/contract/invoices/payments';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../../deps.ts';
import type { ZodTypeProvider } from '../../../http/schema.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { payInvoiceAsGuest } from './guest/pay-invoice-as-guest.ts';
import { readIdempotencyKey, readTermsVersion, readVersion } from './read-payment-headers.ts';
import { refusalAnswer, sendPaymentAnswer } from './replay/payment-answer.ts';

/** Finish a begun payment before the process ends, even if nobody listens any more. */
export const FINISH_MILLISECONDS = 70_000;

export const paymentsRoutes: FastifyPluginAsync<{ deps: Deps }> = async (instance, { deps }) => {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.addHook('onClose', () => deps.underWay.finished({ withinMilliseconds: FINISH_MILLISECONDS }));

  app.route({
    method: ENDPOINTS.guestSale.method,
    url: ENDPOINTS.guestSale.path,
    schema: { body: guestSaleSchema, response: { 200: guestSaleAnswerSchema } },
    handler: async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key']);
      if (!key.ok) return sendPaymentAnswer(reply, refusalAnswer(key), 'guest');
      const answer = await payInvoiceAsGuest(deps, {
        body: request.body,
        idempotencyKey: key.value,
        version: readVersion(request.headers['if-match']),
        address: clientAddress(request.ip),
        termsVersion: readTermsVersion(request.headers['terms-version'], deps.env.TERMS.version),
      });
      return sendPaymentAnswer(reply, answer, 'guest');
    },
  });
};
