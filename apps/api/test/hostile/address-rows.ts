import { TEST_SECRETS } from '../build-test-app.ts';
import type { CallName } from './calls.ts';
import { at, type BadInput, header, MARK, method, withoutHeader } from './spoil.ts';

const ANY_NAME = [
  'user',
  'account',
  'updateAccount',
  'changeEmail',
  'cancelEmail',
  'changePassword',
  'sessions',
  'endSession',
  'endOtherSessions',
  'exportData',
  'useOffer',
  'closeAccount',
  'invoices',
  'locations',
  'invitations',
  'acceptInvitations',
  'payments',
  'payment',
  'statements',
  'paymentMethods',
  'portalSale',
  'removePaymentMethod',
] as const satisfies readonly CallName[];

const NO_BEARER: readonly (readonly [what: string, value: string | string[]])[] = [
  ['empty', ''],
  ['only a scheme', 'Bearer'],
  ['another scheme', `Basic ${btoa(`admin:${MARK}`)}`],
  ['made up', `Bearer ${MARK}`],
  ['three empty parts', 'Bearer ..'],
  ['unsigned', `Bearer eyJhbGciOiJub25lIn0.${Buffer.from(`{"sub":"${MARK}"}`).toString('base64url')}.`],
  ['very long', `Bearer ${MARK.repeat(2000)}`],
  ['the office’s key', `Bearer ${TEST_SECRETS.officeApiKey}`],
];

const OFFICE_CALLS = [
  'status',
  'review',
  'reconcile',
  'importRows',
  'invite',
  'switchUser',
  'decide',
  'restored',
  'foundPayments',
  'acknowledgeFound',
  'credits',
  'creditSeen',
] as const satisfies readonly CallName[];

const METHODS = ['PUT', 'PATCH', 'TRACE', 'OPTIONS', 'DELETE', 'SEARCH'];

const NO_LOCATION = [
  ['text', MARK],
  ['negative', '-1'],
  ['a fraction', '1.5'],
  ['with an exponent', '1e3'],
  ['hexadecimal', '0x1'],
  ['with SQL', `1%20OR%201=1--${MARK}`],
  ['with a NUL', '1%00'],
  ['full-width digits', '%EF%BC%91'],
  ['of sixteen digits', '9999999999999999'],
  ['with a line break', '1%0d%0aSet-Cookie:x'],
] as const;

const HUGE = '999999999999999';

export const ADDRESS_ROWS: readonly BadInput[] = [
  ...ANY_NAME.flatMap((call) =>
    NO_BEARER.map(
      ([what, value]) => [`an Authorization ${what}`, call, header('authorization', value), 401] as const,
    ),
  ),
  ...(['login', 'user', 'guestSale', 'portalSale'] as const).flatMap((call): BadInput[] => [
    ['no X-APISecret', call, withoutHeader('x-apisecret'), 401],
    ['an empty X-APISecret', call, header('x-apisecret', ''), 401],
    ['another X-APISecret', call, header('x-apisecret', MARK), 401],
    ['X-APISecret in capitals', call, header('x-apisecret', TEST_SECRETS.apiSecret.toUpperCase()), 401],
    ['a very long X-APISecret', call, header('x-apisecret', MARK.repeat(2000)), 401],
  ]),
  ...OFFICE_CALLS.flatMap((call): BadInput[] => [
    ['no office key', call, withoutHeader('authorization'), 401],
    ['another office key', call, header('authorization', `Bearer ${MARK}`), 401],
    ['the web app’s key', call, header('authorization', `Bearer ${TEST_SECRETS.apiSecret}`), 401],
  ]),
  ...(['login', 'user', 'invoices', 'guestSale', 'portalSale', 'status'] as const).flatMap((call) =>
    METHODS.map((name) => [`the method ${name}`, call, method(name), 404] as const),
  ),
  ...NO_LOCATION.flatMap(([what, id]): BadInput[] => [
    [`a location’s number ${what}`, 'removeLocation', at(`/user/location/${id}`), 400],
    [`a location’s number ${what}`, 'locationHistory', at(`/user/location/${id}/history`), 400],
  ]),
  ['a location’s number that is huge', 'removeLocation', at(`/user/location/${HUGE}`), 404],
  ['a location’s number that is huge', 'locationHistory', at(`/user/location/${HUGE}/history`), 404],
  ...['26', '2026.0', '-2026', '1e3', '٢٠٢٦', `2026${MARK}`, '2026%00'].flatMap((year): BadInput[] => [
    [`the year ${year}`, 'payments', at(`/user/payments?year=${encodeURI(year)}`), 400],
    [`the year ${year}`, 'statements', at(`/user/statements?year=${encodeURI(year)}`), 400],
  ]),
  ['a year twice', 'payments', at('/user/payments?year=2026&year=2026'), 400],
  ['a page of nothing', 'payments', at(`/user/payments?cursor=${MARK}`), 400],
  ['an unknown filter', 'payments', at(`/user/payments?${MARK}=1`), 400],
  ['a location of nobody', 'payments', at(`/user/payments?locationId=${HUGE}`), 404],
  ['no year', 'statements', at('/user/statements'), 400],
  ['a payment that is none', 'payment', at(`/user/payments/${MARK}`), 400],
  ['a payment of nobody', 'payment', (request) => request, 404],
  ['an address with a broken escape', 'removeLocation', at('/user/location/%zz'), 400],
  ['an address that is half a character', 'removeLocation', at('/user/location/%ff'), 400],
  ['an address that is too long', 'removeLocation', at(`/user/location/${'9'.repeat(300)}`), 400],
  ['an address that climbs', 'user', at(`/user/../../etc/passwd?${MARK}`), 404],
  ['an address that climbs in escapes', 'user', at(`/%2e%2e%2f%2e%2e%2fetc%2fpasswd${MARK}`), 404],
  ['an address with backslashes', 'user', at(`/..\\..\\${MARK}`), 404],
  ['an address in capitals', 'user', at('/USER'), 404],
  ['an address with two slashes', 'user', at('//user'), 404],
  ['an address with a parameter of its own', 'user', at('/user;admin=true'), 404],
  ['an address that is markup', 'user', at(`/<script>${MARK}</script>`), 404],
  ['a payment method that is a path', 'removePaymentMethod', at('/usaepay/portal/paymentmethods/..%2f'), 400],
  ['a payment method that is SQL', 'removePaymentMethod', at("/usaepay/portal/paymentmethods/'--"), 400],
  ['a payment method nobody has', 'removePaymentMethod', at(`/usaepay/portal/paymentmethods/${MARK}`), 404],
  ['a session that is a path', 'endSession', at('/user/sessions/..%2f'), 400],
  ['a session that is SQL', 'endSession', at("/user/sessions/'--"), 400],
  ['a session nobody has', 'endSession', at(`/user/sessions/${MARK}`), 404],
  ['an email that is none', 'switchUser', at(`/office/users/${MARK}`), 400],
  ['an email with a header', 'switchUser', at(`/office/users/a%0d%0aBcc:${MARK}@example.com`), 400],
  ['an email of nobody', 'switchUser', at(`/office/users/${MARK}@example.com`), 404],
  ['a franchise that is text', 'franchise', at(`/office/franchises/${MARK}`), 400],
  ['a franchise that is huge', 'franchise', at('/office/franchises/9999999999'), 400],
  ['a franchise of nobody', 'franchise', at('/office/franchises/999999999'), 404],
  ['a charge that is none', 'decide', at(`/office/review/${MARK}/release`), 400],
  [
    'a decision that is none',
    'decide',
    at(`/office/review/00000000-0000-4000-8000-000000000000/${MARK}`),
    400,
  ],
  ['a charge of nobody', 'decide', (request) => request, 404],
  ['an order that is none', 'acknowledgeFound', at(`/office/found-payments/${MARK}!/settle`), 400],
  ['an order of nobody', 'acknowledgeFound', (request) => request, 404],
  ['a credit that is none', 'creditSeen', at(`/office/credits/${MARK}/seen`), 400],
  ['a credit that is huge', 'creditSeen', at('/office/credits/99999999999999999999/seen'), 400],
  ['a credit of nobody', 'creditSeen', (request) => request, 404],
  ['no email', 'resetPassword', at('/user/resetpassword'), 400],
  ['an empty email', 'resetPassword', at('/user/resetpassword?email='), 400],
  ['an email twice', 'resetPassword', at('/user/resetpassword?email=a@example.com&email=b@example.com'), 400],
  ['an email as a list', 'resetPassword', at('/user/resetpassword?email[]=a@example.com'), 400],
  ['an unknown parameter', 'resetPassword', at(`/user/resetpassword?email=a@example.com&${MARK}=1`), 400],
  ['__proto__ for a parameter', 'resetPassword', at('/user/resetpassword?__proto__[x]=1'), 400],
  ['an email that is too long', 'resetPassword', at(`/user/resetpassword?email=${MARK.repeat(500)}`), 400],
  ['a document that is none', 'user', at(`/documents/${MARK}.pdf?expires=1&signature=1`), 404],
  [
    'a document without a signature',
    'user',
    at(`/documents/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.pdf`),
    403,
  ],
];

const SALES = ['guestSale', 'portalSale', 'addPaymentMethod'] as const satisfies readonly CallName[];

/** Headers that name the payment and the invoice's version. */
export const PAYMENT_HEADER_ROWS: readonly BadInput[] = [
  ...SALES.flatMap((call): BadInput[] => [
    ['an empty Idempotency-Key', call, header('idempotency-key', ''), 400],
    ['an Idempotency-Key of 201 characters', call, header('idempotency-key', 'k'.repeat(201)), 400],
    ['an Idempotency-Key with a blank', call, header('idempotency-key', `${MARK} key`), 400],
    ['an Idempotency-Key twice', call, header('idempotency-key', [MARK, MARK]), 400],
    ['an Idempotency-Key beyond ASCII', call, header('idempotency-key', `${MARK}é`), 400],
  ]),
  ['an If-Match that is text', 'guestSale', header('if-match', `"${MARK}"`), 409],
  ['an If-Match of another version', 'guestSale', header('if-match', '"999"'), 409],
  ['an If-Match that is huge', 'guestSale', header('if-match', '"99999999999999999999"'), 409],
  ['an If-Match that is negative', 'guestSale', header('if-match', '"-1"'), 409],
  ['a weak If-Match', 'guestSale', header('if-match', 'W/"1"'), 409],
  ['two versions to match', 'guestSale', header('if-match', '"1", "2"'), 409],
  ['an empty If-Match', 'guestSale', header('if-match', ''), 409],
];
