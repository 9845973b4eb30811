/** A call of the API: its method, its path under the API base, and whether it goes without a bearer token. */
export type Endpoint = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; isPublic: boolean };

const open = (method: Endpoint['method'], path: string): Endpoint => ({ method, path, isPublic: true });
const guarded = (method: Endpoint['method'], path: string): Endpoint => ({ method, path, isPublic: false });

/** Every call of the web app. Paths are fixed: other clients and stored links use them. */
export const ENDPOINTS = {
  login: open('POST', '/authentication/login'),
  refresh: open('POST', '/authentication/refresh'),
  logout: open('POST', '/authentication/logout'),
  register: open('POST', '/user/register'),
  confirm: open('POST', '/user/confirm'),
  resendEmailConfirmation: open('POST', '/user/resendemailconfirmation'),
  user: guarded('GET', '/user'),
  resetPassword: open('POST', '/user/resetpassword'),
  confirmResetPassword: open('POST', '/user/confirmresetpassword'),
  account: guarded('GET', '/user/account'),
  updateAccount: guarded('PUT', '/user/account'),
  changeEmail: guarded('POST', '/user/email'),
  cancelEmail: guarded('DELETE', '/user/email'),
  confirmEmailChange: open('POST', '/authentication/email/confirm'),
  undoEmailChange: open('POST', '/authentication/email/undo'),
  changePassword: guarded('POST', '/user/password'),
  sessions: guarded('GET', '/user/sessions'),
  endSession: guarded('DELETE', '/user/sessions/:sessionId'),
  endOtherSessions: guarded('DELETE', '/user/sessions'),
  exportData: guarded('POST', '/user/export'),
  closeAccount: guarded('POST', '/user/close'),
  invitations: guarded('GET', '/user/invitations'),
  acceptInvitations: guarded('POST', '/user/invitations'),
  acceptInvite: open('POST', '/user/acceptinvite'),
  searchInvoice: open('POST', '/user/invoice/search'),
  invoices: guarded('GET', '/user/invoice'),
  locations: guarded('GET', '/user/location'),
  addLocation: guarded('POST', '/user/location'),
  removeLocation: guarded('DELETE', '/user/location/:locationId'),
  locationHistory: guarded('GET', '/user/location/:locationId/history'),
  guestSale: open('POST', '/usaepay/guestsale'),
  portalSale: guarded('POST', '/usaepay/customerportalsale'),
  payments: guarded('GET', '/user/payments'),
  payment: guarded('GET', '/user/payments/:paymentId'),
  statements: guarded('GET', '/user/statements'),
  paymentMethods: guarded('GET', '/usaepay/portal/paymentmethods'),
  addPaymentMethod: guarded('POST', '/usaepay/portal/paymentmethods'),
  removePaymentMethod: guarded('DELETE', '/usaepay/portal/paymentmethods/:id'),
} as const satisfies Record<string, Endpoint>;
