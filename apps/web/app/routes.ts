import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every URL of the portal and its file. */
export default [
  // For signed-out people; others are sent to /invoices.
  layout('routes/guest/layout.tsx', [
    index('routes/guest/landing.tsx'),
    route('guest-payment', 'routes/guest/quick-pay.tsx'),
  ]),

  // For guests, and for those who sign in there to keep the payment in their account.
  route('guest-payment/success', 'routes/guest/quick-pay-success.tsx'),

  // Sign-in, registration and recovery; signed-in people are sent to /.
  layout('routes/anonymous/layout.tsx', [
    route('login', 'routes/anonymous/login.tsx'),
    route('register', 'routes/anonymous/register.tsx'),
    route('register/success', 'routes/anonymous/register-success.tsx'),
    route('forgot-password', 'routes/anonymous/forgot-password.tsx'),
    route('resetpassword', 'routes/anonymous/reset-password.tsx'),
    route('confirm', 'routes/anonymous/confirm-email.tsx'),
    route('invitation', 'routes/anonymous/accept-invite.tsx'),
  ]),

  // For signed-in customers; others are sent to /login.
  layout('routes/portal/layout.tsx', [
    route('invoices', 'routes/portal/dashboard.tsx', { id: 'invoices' }),
    route('locations/:locationId', 'routes/portal/dashboard.tsx', { id: 'location' }),
    route('locations/add', 'routes/portal/add-location.tsx'),
    route('payments', 'routes/portal/payments.tsx'),
    route('payments/:paymentId', 'routes/portal/payment.tsx'),
    route('payment-methods', 'routes/portal/payment-methods.tsx'),
    route('payment-methods/add', 'routes/portal/add-payment-method.tsx'),
    route('payment-methods/:paymentMethodId', 'routes/portal/payment-method.tsx'),
    route('account', 'routes/portal/account.tsx'),
  ]),

  // For everybody.
  route('terms', 'routes/terms.tsx'),
  route('mail/:what', 'routes/mail.tsx'),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
