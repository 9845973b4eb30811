import { createHash, randomBytes } from 'node:crypto';
import { formatDollars } from '@brightpane/money/cents';
import { type CallerOptions, openCaller, type ProviderCall } from '../open-caller.ts';
import { isText, parseAnswer } from '../parse-answer.ts';
import type { AuthorizeRequest, MerchantKeys, PaymentGateway } from '../payment-gateway.ts';
import { isSuccess, readAuthorizeAnswer, readCaptureAnswer, refusedStatus } from './provider-answers.ts';
import { readListAnswer } from './read-list-answer.ts';
import { readRefundAnswer, readVoidAnswer } from './refund-answers.ts';
import { readRecord } from './transaction-rows.ts';

/**
 * USAePay's REST API, version 2, for one merchant account. Never retries a call, and never sends `ignore_duplicate` or
 * a top-level `email`, to which the provider would mail its own receipt.
 */
export function createUsaepayGateway({
  keys,
  ...options
}: CallerOptions & { keys: Pick<MerchantKeys, 'apiKey' | 'pin'> }): PaymentGateway {
  const send = openCaller({ ...options, authorization: () => authorization(keys) });

  const transact = (body: object, rest: Pick<ProviderCall, 'millisecondsLeft' | 'onProgress'> = {}) =>
    send({ method: 'POST', path: '/transactions', body, ...rest });

  return {
    async authorize(request) {
      const { millisecondsLeft, onProgress } = request;
      const answer = await transact(authorizeBody(request), { millisecondsLeft, onProgress });
      return readAuthorizeAnswer(answer, request);
    },

    async capture({ transactionKey, amountCents, ...time }) {
      const amount = formatDollars(amountCents);
      const answer = await transact({ command: 'cc:capture:error', trankey: transactionKey, amount }, time);
      return readCaptureAnswer(answer, { transactionKey, amountCents });
    },

    async release({ transactionKey, ...time }) {
      return readVoidAnswer(await transact({ command: 'cc:void:release', trankey: transactionKey }, time));
    },

    async void({ transactionKey, releases, ...time }) {
      const command = releases ? 'cc:void:release' : 'void';
      return readVoidAnswer(await transact({ command, trankey: transactionKey }, time));
    },

    async refund({ transactionKey, amountCents, clerk, ...time }) {
      const amount = formatDollars(amountCents);
      const answer = await transact({ command: 'refund', trankey: transactionKey, amount, clerk }, time);
      return readRefundAnswer(answer, { transactionKey });
    },

    async find({ transactionKey }) {
      const path = `/transactions/${encodeURIComponent(transactionKey)}`;
      const answer = parseAnswer(await send({ method: 'GET', path }));
      const status = refusedStatus(answer, [401, 403, 429]);
      if (status) return { kind: 'not-executed', status };
      if (refusedStatus(answer, [404])) return { kind: 'not-found' };
      const transaction = answer && isSuccess(answer.status) ? readRecord(answer.body) : null;
      // An answer with another key is about another transaction.
      if (!transaction || transaction.transactionKey !== transactionKey) return { kind: 'unknown' };
      return { kind: 'found', transaction };
    },

    async list({ offset, limit }) {
      const path = `/transactions?limit=${limit}&offset=${offset}`;
      return readListAnswer(await send({ method: 'GET', path }), { offset, limit });
    },

    async makeCardToken({ transactionKey, ...time }) {
      const body = { trankey: transactionKey };
      const answer = parseAnswer(await send({ method: 'POST', path: '/tokens', body, ...time }));
      const token = answer?.body.token ?? answer?.body;
      const cardref =
        typeof token === 'object' && token !== null && 'cardref' in token ? token.cardref : null;
      return isText(cardref) ? cardref : null;
    },
  };
}

function authorizeBody({
  orderId,
  amountCents,
  card,
  billing,
  invoice,
  description,
  saveCard,
}: AuthorizeRequest) {
  return {
    command: 'cc:authonly',
    amount: formatDollars(amountCents),
    orderid: orderId,
    ...(invoice !== undefined && { invoice }),
    description,
    software: 'Brightpane',
    ...('paymentKey' in card
      ? { payment_key: card.paymentKey }
      : { creditcard: { number: card.cardToken, expiration: '0000' } }),
    ...(saveCard && { save_card: true }),
    billing_address: {
      firstname: billing.firstName,
      lastname: billing.lastName,
      street: billing.street,
      street2: billing.street2,
      city: billing.city,
      state: billing.state,
      postalcode: billing.postalCode,
      phone: billing.phone,
    },
  };
}

/** The hash proves the PIN without sending it. Uses a fresh seed each time, though the provider accepts reuse. */
function authorization({ apiKey, pin }: Pick<MerchantKeys, 'apiKey' | 'pin'>): string {
  const seed = randomBytes(16).toString('hex');
  const hash = createHash('sha256').update(`${apiKey}${seed}${pin}`).digest('hex');
  return `Basic ${Buffer.from(`${apiKey}:s2/${seed}/${hash}`).toString('base64')}`;
}
