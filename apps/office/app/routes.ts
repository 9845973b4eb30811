import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every URL of the console below `/office`, and its file. */
export default [
  // Before sign-in.
  layout('routes/outside/layout.tsx', [
    route('sign-in', 'routes/outside/sign-in.tsx'),
    route('welcome', 'routes/outside/welcome.tsx'),
    route('reset', 'routes/outside/reset.tsx'),
    route('demo', 'routes/outside/demo.tsx'),
  ]),

  // Inside the frame, for signed-in people.
  layout('routes/console/layout.tsx', [
    layout('routes/console/screen.tsx', [
      index('routes/console/start.tsx'),
      route('payments', 'routes/payments/list.tsx'),
      route('payments/:paymentId', 'routes/payments/payment.tsx'),
      route('invoices', 'routes/invoices/list.tsx'),
      route('invoices/:franchiseId/:workOrderNumber', 'routes/invoices/work-order.tsx'),
      route('customers', 'routes/customers/list.tsx'),
      route('customers/:franchiseId/:customerNumber', 'routes/customers/customer.tsx'),
      route('customers/:franchiseId/:customerNumber/statement', 'routes/customers/statement.tsx'),
      route('refunds', 'routes/refunds/list.tsx'),
      route('refunds/:refundId', 'routes/refunds/refund.tsx'),
      route('import', 'routes/console/import.tsx'),
      route('review', 'routes/console/review.tsx'),
      route('audit', 'routes/console/audit.tsx'),
      layout('routes/settings/layout.tsx', [
        route('settings', 'routes/settings/start.tsx'),
        route('settings/account', 'routes/settings/account.tsx'),
        route('settings/franchise', 'routes/settings/franchise.tsx'),
        route('settings/staff', 'routes/settings/staff.tsx'),
        route('settings/api-keys', 'routes/settings/api-keys.tsx'),
        route('settings/merchant-account', 'routes/settings/merchant-account.tsx'),
      ]),
    ]),
  ]),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
