import type { Parameter } from './api-description.ts';

const idempotencyKey = (description: string, required = false): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
});

const ifMatch = (description: string): Parameter => ({
  name: 'If-Match',
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', example: '"7"' },
});

const TERMS_VERSION: Parameter = {
  name: 'Terms-Version',
  in: 'header',
  required: false,
  description:
    'The version of the terms that the payer accepted, as the page showed it; kept with the payment.',
  schema: { type: 'string', pattern: '^[\\w.-]{1,64}$' },
};

const PAYMENT_KEY = idempotencyKey(
  'Names this payment: sent again, it is answered again, and nobody is charged twice.',
);
const INVOICE_VERSION = ifMatch(
  'The version of the invoice that the payer saw. Another one is refused with 409.',
);

type Headers = {
  parameters: Parameter[];
  /** What only a request with such a header is refused with. */
  refusals: number[];
  /** Whether a repeated answer says that it is one. */
  isReplayMarked: boolean;
};

/** What calls read from headers. */
export const HEADERS = {
  card: { parameters: [PAYMENT_KEY], refusals: [422], isReplayMarked: true },
  payment: { parameters: [PAYMENT_KEY, TERMS_VERSION], refusals: [422], isReplayMarked: true },
  'payment of one invoice': {
    parameters: [PAYMENT_KEY, INVOICE_VERSION, TERMS_VERSION],
    refusals: [422],
    isReplayMarked: true,
  },
  refund: {
    parameters: [
      idempotencyKey('Names this request: sent again, it is answered again, and refunds once.', true),
    ],
    refusals: [422],
    isReplayMarked: true,
  },
  act: {
    parameters: [idempotencyKey('Names this request: sent again, it is answered again, and done once.')],
    refusals: [422],
    isReplayMarked: false,
  },
  'act with a secret': {
    parameters: [
      idempotencyKey('Names this request: sent again, it is refused with 409, as its secret is shown once.'),
    ],
    refusals: [409, 422],
    isReplayMarked: false,
  },
  settings: {
    parameters: [
      ifMatch(
        'The version of the settings that was seen. Another one is refused with 409. People have to send it (428), programs may.',
      ),
    ],
    refusals: [409, 428],
    isReplayMarked: false,
  },
  'place of a person': {
    parameters: [
      ifMatch('The version of the role and the franchises that was seen. Another one is refused with 409.'),
    ],
    refusals: [409],
    isReplayMarked: false,
  },
  'what is reviewed': {
    parameters: [
      ifMatch(
        'The version that was seen. Another one is refused with 409. People have to send it (428), programs may.',
      ),
    ],
    refusals: [409, 428],
    isReplayMarked: false,
  },
  'held refund': {
    parameters: [
      ifMatch(
        'The version of the held refund that was seen. `keep-asking` has to send it (428); another one is refused with 409.',
      ),
    ],
    refusals: [409, 428],
    isReplayMarked: false,
  },
} satisfies Record<string, Headers>;

export const REPLAYED = {
  'Idempotency-Replayed': {
    description: '`true` where this was answered before',
    schema: { type: 'string' },
  },
};
