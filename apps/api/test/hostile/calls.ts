import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Victim } from './victim.ts';

export type Request = {
  method: string;
  url: string;
  headers: Record<string, string | string[]>;
  /** Objects are sent as JSON, strings and bytes unchanged. */
  payload?: unknown;
};

type Call = {
  method: string;
  path: (victim: Victim) => string;
  /** The credentials that the call needs: the web app's key, also a session, or the office's key. */
  key: 'app' | 'session' | 'office';
  body?: (victim: Victim) => Record<string, unknown>;
};

const person = { firstName: 'Robin', lastName: 'Example', password: 'a long enough password' };
const threeNumbers = ({ franchiseId, workOrderNumber, zipCode }: Victim) => ({
  franchiseId,
  workOrderNumber,
  zipCode,
});

function ours(
  name: keyof typeof ENDPOINTS,
  { body, path }: { body?: Call['body']; path?: Call['path'] } = {},
): Call {
  const endpoint = ENDPOINTS[name];
  return {
    method: endpoint.method,
    path: path ?? (() => endpoint.path),
    key: endpoint.isPublic ? 'app' : 'session',
    ...(body && { body }),
  };
}

function office(
  name: keyof typeof OFFICE_ENDPOINTS,
  { body, path }: { body?: Call['body']; path?: Call['path'] } = {},
): Call {
  const endpoint = OFFICE_ENDPOINTS[name];
  return {
    method: endpoint.method,
    path: path ?? (() => endpoint.path),
    key: 'office',
    ...(body && { body }),
  };
}

/** Every call that checks its caller, with a valid request. */
export const CALLS = {
  login: ours('login', { body: ({ email }) => ({ email, password: 'not her password' }) }),
  refresh: ours('refresh', { body: () => ({ refreshToken: 'made up' }) }),
  logout: ours('logout', { body: () => ({ refreshToken: 'made up' }) }),
  register: ours('register', { body: () => ({ email: 'new@example.com', userType: 2, ...person }) }),
  confirm: ours('confirm', { body: ({ email }) => ({ email, token: 'made up' }) }),
  resendEmailConfirmation: ours('resendEmailConfirmation', { body: ({ email }) => ({ email }) }),
  resetPassword: ours('resetPassword', {
    path: ({ email }) => `/user/resetpassword?email=${encodeURIComponent(email)}`,
  }),
  confirmResetPassword: ours('confirmResetPassword', {
    body: ({ email }) => ({ email, passwordToken: 'made up', password: person.password }),
  }),
  acceptInvite: ours('acceptInvite', {
    body: ({ email }) => ({ email, passwordToken: 'made up', ...person }),
  }),
  user: ours('user'),
  account: ours('account'),
  updateAccount: ours('updateAccount', {
    body: () => ({ firstName: person.firstName, lastName: person.lastName }),
  }),
  changeEmail: ours('changeEmail', {
    body: () => ({ email: 'moved@example.com', password: 'not her password' }),
  }),
  cancelEmail: ours('cancelEmail'),
  confirmEmailChange: ours('confirmEmailChange', { body: ({ email }) => ({ email, token: 'made up' }) }),
  undoEmailChange: ours('undoEmailChange', {
    body: ({ email }) => ({ email, token: 'made up', password: person.password }),
  }),
  lookAtOffer: ours('lookAtOffer', { body: () => ({ token: 'made up' }) }),
  registerWithOffer: ours('registerWithOffer', {
    body: () => ({ token: 'made up', email: 'new@example.com', ...person }),
  }),
  useOffer: ours('useOffer', { body: () => ({ token: 'made up' }) }),
  changePassword: ours('changePassword', {
    body: () => ({ password: 'not her password', newPassword: person.password }),
  }),
  sessions: ours('sessions'),
  endSession: ours('endSession', {
    path: () => '/user/sessions/00000000-0000-4000-8000-000000000000',
  }),
  endOtherSessions: ours('endOtherSessions'),
  exportData: ours('exportData', { body: () => ({ password: 'not her password' }) }),
  closeAccount: ours('closeAccount', { body: () => ({ password: 'not her password' }) }),
  invitations: ours('invitations'),
  acceptInvitations: ours('acceptInvitations'),
  searchInvoice: ours('searchInvoice', { body: threeNumbers }),
  invoices: ours('invoices'),
  locations: ours('locations'),
  addLocation: ours('addLocation', { body: threeNumbers }),
  removeLocation: ours('removeLocation', { path: ({ locationId }) => `/user/location/${locationId}` }),
  locationHistory: ours('locationHistory', {
    path: ({ locationId }) => `/user/location/${locationId}/history`,
  }),
  guestSale: ours('guestSale', {
    body: ({ franchiseId, workOrderNumber, zipCode, paymentKey }) => ({
      franchiseId,
      workOrderNumber,
      zipCode,
      additionalServiceAmount: '5.00',
      additionalServicesNote: 'Gutters too',
      tipAmount: 2.5,
      firstName: 'Ana',
      lastName: 'Ruiz',
      address: 'Maple Street 12',
      address2: 'Apartment 3',
      city: 'Springfield',
      state: 'IL',
      postalCode: '62704',
      phone: '217-555-0123',
      email: 'ana@example.com',
      paymentKey,
      sendReceipt: true,
      legalAccepted: true,
      cardType: 'V',
      maskedCard: '4000xxxxxxxx2224',
    }),
  }),
  portalSale: ours('portalSale', {
    body: ({ franchiseId, workOrderNumber, paymentMethodId }) => ({
      paymentMethodId,
      sendReceipt: true,
      legalAccepted: true,
      workOrders: [{ franchiseId, workOrderNumber, tipAmount: '1.00' }],
    }),
  }),
  payments: ours('payments'),
  payment: ours('payment', { path: () => '/user/payments/office-999999999' }),
  statements: ours('statements', { path: () => '/user/statements?year=2026' }),
  paymentMethods: ours('paymentMethods'),
  addPaymentMethod: ours('addPaymentMethod', {
    body: ({ paymentKey }) => ({
      paymentKey,
      maskedCard: '4000xxxxxxxx2224',
      street: 'Maple Street 12',
      postalCode: '62704',
    }),
  }),
  removePaymentMethod: ours('removePaymentMethod', {
    path: ({ paymentMethodId }) => `/usaepay/portal/paymentmethods/${paymentMethodId}`,
  }),
  invite: office('invite', {
    body: ({ franchiseId }) => ({ franchiseId, customerNumber: 7, email: 'customer@example.com' }),
  }),
  franchise: office('franchise', {
    path: ({ franchiseId }) => `/office/franchises/${franchiseId}`,
    body: () => ({ phone: '217-555-0100' }),
  }),
  switchUser: office('switchUser', {
    path: ({ email }) => `/office/users/${encodeURIComponent(email)}`,
    body: () => ({ active: true }),
  }),
  status: office('status'),
  review: office('review'),
  decide: office('decide', { path: () => '/office/review/00000000-0000-4000-8000-000000000000/release' }),
  reconcile: office('reconcile'),
  restored: office('restored', { body: () => ({ since: '2026-11-15T12:00:00Z' }) }),
  foundPayments: office('foundPayments'),
  acknowledgeFound: office('acknowledgeFoundPayment', {
    path: () => '/office/found-payments/abc-123/settle',
  }),
  credits: office('credits'),
  creditSeen: office('creditSeen', { path: () => '/office/credits/999999999/seen' }),
  importRows: office('import', {
    body: ({ franchiseId }) => ({
      rows: [Object.fromEntries(INVOICE_COLUMNS.map((column) => [column, String(franchiseId)]))],
    }),
  }),
} satisfies Record<string, Call>;

export type CallName = keyof typeof CALLS;
