import type { CallName, Request } from './calls.ts';
import { type BadInput, fields, MARK, raw, workOrder } from './spoil.ts';

type Value = readonly [what: string, value: unknown];

const NO_NUMBER: readonly Value[] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['zero', 0],
  ['negative', -1],
  ['negative digits', '-1'],
  ['with a fraction', 1.5],
  ['digits with a fraction', '1.5'],
  ['hexadecimal', '0x10'],
  ['with an exponent', '1e3'],
  ['huge', 1e308],
  ['huge digits', '9'.repeat(400)],
  ['beyond what is exact', 2 ** 53 + 2],
  ['NaN in a string', 'NaN'],
  ['Infinity in a string', 'Infinity'],
  ['full-width digits', '１００１'],
  ['Arabic digits', '١٠٠١'],
  ['true', true],
  ['a list', [1001]],
  ['an object', { $gt: 0 }],
  ['with SQL', `1001 OR 1=1 -- ${MARK}`],
  ['with a second statement', `1001; DROP TABLE invoice; -- ${MARK}`],
  ['with a NUL', '1001\u0000'],
];

const NO_AMOUNT: readonly Value[] = [
  ['null', null],
  ['true', true],
  ['a list', [5]],
  ['an object', { valueOf: 5 }],
  ['empty', ''],
  ['words', `${MARK} dollars`],
  ['with a third decimal', 5.125],
  ['digits with a third decimal', '5.125'],
  ['with a comma', '12,50'],
  ['with a currency', '$5.00'],
  ['with an exponent', '1e2'],
  ['tiny', 1e-7],
  ['huge', 1e308],
  ['one cent beyond the largest', 99_999.01],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['hexadecimal', '0x5'],
  ['full-width digits', '５'],
];

const numbersOf = (call: CallName, field: string): BadInput[] =>
  NO_NUMBER.map(([what, value]) => [`${field} ${what}`, call, fields({ [field]: value }), 400]);

/** Fields that a payer must never set, because the server computes them. */
const OURS = ['balanceDue', 'amount', 'salesTaxAmount', 'salesTaxRate', 'userId', 'status', 'invoiceId'];

export const NUMBER_ROWS: readonly BadInput[] = [
  ...numbersOf('searchInvoice', 'franchiseId'),
  ...numbersOf('searchInvoice', 'workOrderNumber'),
  ...numbersOf('addLocation', 'workOrderNumber'),
  ...numbersOf('guestSale', 'franchiseId'),
  ...numbersOf('guestSale', 'workOrderNumber'),
  ...numbersOf('invite', 'franchiseId'),
  ...NO_NUMBER.map(
    ([what, value]) =>
      [`a work order’s number ${what}`, 'portalSale', workOrder({ workOrderNumber: value }), 400] as const,
  ),
  ...['tipAmount', 'additionalServiceAmount'].flatMap((field) =>
    NO_AMOUNT.flatMap(([what, value]): BadInput[] => [
      [`${field} ${what}`, 'guestSale', fields({ [field]: value }), 400],
      [`a work order’s ${field} ${what}`, 'portalSale', workOrder({ [field]: value }), 400],
    ]),
  ),
  ...OURS.flatMap((field): BadInput[] => [
    [`${field} of the caller’s own making`, 'guestSale', fields({ [field]: 0.01 }), 400],
    [`a work order’s ${field} of the caller’s own making`, 'portalSale', workOrder({ [field]: 0.01 }), 400],
  ]),
  ['a negative tip', 'guestSale', fields({ tipAmount: -1 }), 400],
  ['a negative tip of a work order', 'portalSale', workOrder({ tipAmount: '-0.01' }), 400],
  ['services without a note', 'guestSale', fields({ additionalServicesNote: undefined }), 400],
  ['services with a blank note', 'guestSale', fields({ additionalServicesNote: ' ' }), 400],
  ['a work order’s services without a note', 'portalSale', workOrder({ additionalServiceAmount: 5 }), 400],
  [
    'services that take the whole invoice away',
    'guestSale',
    fields({ additionalServiceAmount: -108.25 }),
    400,
  ],
  ['services that take more than the invoice', 'guestSale', fields({ additionalServiceAmount: -5000 }), 400],
  ['services that take more than is allowed', 'guestSale', fields({ additionalServiceAmount: -107 }), 400],
  ['a total beyond what a card is charged', 'guestSale', fields({ additionalServiceAmount: 99_999 }), 400],
  ['legalAccepted missing', 'guestSale', fields({ legalAccepted: undefined }), 400],
  ['legalAccepted null', 'guestSale', fields({ legalAccepted: null }), 400],
  ['legalAccepted yes', 'guestSale', fields({ legalAccepted: 'yes' }), 400],
  ['legalAccepted 1', 'guestSale', fields({ legalAccepted: 1 }), 400],
  ['legalAccepted false', 'guestSale', fields({ legalAccepted: false }), 400],
  ['sendReceipt “true”', 'guestSale', fields({ sendReceipt: 'true' }), 400],
  [
    'legalAccepted false, for a location’s first payment',
    'portalSale',
    fields({ legalAccepted: false }),
    400,
  ],
  ['no work orders', 'portalSale', fields({ workOrders: [] }), 400],
  ['work orders missing', 'portalSale', fields({ workOrders: undefined }), 400],
  ['work orders as an object', 'portalSale', fields({ workOrders: { 0: {} } }), 400],
  ['a work order that is null', 'portalSale', fields({ workOrders: [null] }), 400],
  ['a work order that is a number', 'portalSale', fields({ workOrders: [1001] }), 400],
  ['501 work orders', 'portalSale', fields({ workOrders: Array(501).fill({}) }), 400],
  ['a work order twice', 'portalSale', twice, 400],
  ['a version that is text', 'portalSale', workOrder({ version: '1' }), 400],
  ['a version that is a fraction', 'portalSale', workOrder({ version: 1.5 }), 400],
  ['a version that nobody saw', 'portalSale', workOrder({ version: 999 }), 409],
  ['a version beyond the database’s numbers', 'portalSale', workOrder({ version: 2 ** 53 - 1 }), 409],
  ['a payment method that is a number', 'portalSale', fields({ paymentMethodId: 7 }), 400],
  ['a payment method that is SQL', 'portalSale', fields({ paymentMethodId: `' OR 1=1 -- ${MARK}` }), 404],
  ['a payment method that is nobody’s', 'portalSale', fields({ paymentMethodId: MARK }), 404],
  ['a work order that is nobody’s', 'portalSale', workOrder({ workOrderNumber: 9_999_999_999 }), 404],
  [
    'a work order that is nobody’s, for a guest',
    'guestSale',
    fields({ workOrderNumber: 9_999_999_999 }),
    404,
  ],
  ['a franchise that is nobody’s', 'guestSale', fields({ franchiseId: 999_999_999 }), 404],
  ['a masked card with eleven digits', 'addPaymentMethod', fields({ maskedCard: '41111111111' }), 400],
  ['a masked card with letters', 'addPaymentMethod', fields({ maskedCard: `${MARK}1111` }), 400],
  ['a percentage above 100', 'franchise', fields({ maxCreditPercent: 101 }), 400],
  ['a percentage below 0', 'franchise', fields({ maxCreditPercent: -1 }), 400],
  ['a percentage that is text', 'franchise', fields({ maxCreditPercent: '20' }), 400],
  ['a time zone that is none', 'franchise', fields({ timeZone: `Mars/${MARK}` }), 400],
  ['a time zone that is an offset', 'franchise', fields({ timeZone: '+05:00' }), 400],
  ['a name that is null', 'franchise', fields({ name: null }), 400],
  ['keys without a PIN', 'franchise', fields({ gateway: { apiKey: MARK, publicKey: MARK } }), 400],
  ['keys that are text', 'franchise', fields({ gateway: MARK }), 400],
  ['a moment that is none', 'restored', fields({ since: MARK }), 400],
  ['a moment that is a number', 'restored', fields({ since: 7 }), 400],
  ['a day that the calendar has not', 'restored', fields({ since: '2026-02-30T00:00:00Z' }), 400],
  ['active as text', 'switchUser', fields({ active: 'false' }), 400],
  ['active missing', 'switchUser', fields({ active: undefined }), 400],
  ['a customer number that is a fraction', 'invite', fields({ customerNumber: 1.5 }), 400],
  ['a customer number that is text', 'invite', fields({ customerNumber: MARK }), 400],
  ['a customer number beyond the exact ones', 'invite', fields({ customerNumber: 2 ** 53 }), 400],
  ['a customer that is nobody’s', 'invite', fields({ customerNumber: 9_007_199_254_740_991 }), 404],
  ['an import without rows', 'importRows', raw('{}'), 400],
  ['an import with rows that are no list', 'importRows', raw('{"rows":{}}'), 400],
  ['an import that is a list', 'importRows', raw('[]'), 400],
  ['an import that is no JSON', 'importRows', raw('{"rows":['), 400],
  ['an import of numbers', 'importRows', raw('{"rows":[1]}'), 400],
  ['an import of something else', 'importRows', raw('rows', 'text/plain'), 415],
  ['an import with other columns', 'importRows', raw('a,b\n1,2\n', 'text/csv'), 400],
  ['an import of nothing', 'importRows', raw('', 'text/csv'), 400],
  ['an import of bytes', 'importRows', raw(Buffer.alloc(64, 0xff), 'text/csv'), 400],
  ['an import of NULs', 'importRows', raw('\u0000'.repeat(64), 'text/csv'), 400],
  ['an import with an open quote', 'importRows', raw('franchiseId,"', 'text/csv'), 400],
];

function twice(request: Request): Request {
  const payload = request.payload as { workOrders: unknown[] };
  return { ...request, payload: { ...payload, workOrders: [...payload.workOrders, ...payload.workOrders] } };
}
