import type { ENDPOINTS } from '@brightpane/contract/endpoints';

export type Operation = keyof typeof ENDPOINTS;

/** What each call was about: the first half of every error text that is reported. */
export const OPERATION_NAMES: Record<Operation, string> = {
  login: 'Unable to sign in',
  refresh: 'Unable to refresh the session',
  logout: 'Unable to sign out',
  register: 'Unable to register',
  confirm: 'Unable to confirm email',
  resendEmailConfirmation: 'Unable to resend the confirmation email',
  user: 'Unable to load user',
  resetPassword: 'Unable to request a password reset',
  confirmResetPassword: 'Unable to reset password',
  invitations: 'Unable to load invitations',
  acceptInvitations: 'Unable to accept invite',
  acceptInvite: 'Unable to accept the invitation',
  searchInvoice: 'Unable to find invoice',
  invoices: 'Unable to load invoices',
  locations: 'Unable to load locations',
  addLocation: 'Unable to associate location',
  removeLocation: 'Unable to remove location',
  locationHistory: 'Unable to load payment history',
  guestSale: 'Unable to complete payment',
  portalSale: 'Unable to pay invoices',
  paymentMethods: 'Unable to load payment methods',
  addPaymentMethod: 'Unable to add payment method',
  removePaymentMethod: 'Unable to remove payment method',
};
