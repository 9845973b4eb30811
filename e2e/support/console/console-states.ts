import type { Page } from '@playwright/test';
import { BOTH_SCHEMES } from '../accessibility.ts';
import { type Design, expectGoodIn } from '../good-screen.ts';

/**
 * Every screen and state of the console, with its source in `apps/office/app`. `office-states.spec.ts` fails for a route
 * or dialog without a line here, and for a line that no journey visits.
 */
export const CONSOLE_STATES = {
  // Before sign-in.
  'sign-in': 'routes/outside/sign-in.tsx',
  'sign-in-no-passkeys': 'routes/outside/sign-in.tsx',
  'second-factor': 'routes/outside/sign-in.tsx',
  'second-factor-passkey': 'routes/outside/sign-in.tsx',
  'recovery-code': 'routes/outside/sign-in.tsx',
  'welcome-incomplete': 'routes/outside/welcome.tsx',
  'welcome-1': 'routes/outside/welcome.tsx',
  'welcome-2': 'routes/outside/welcome.tsx',
  'welcome-app': 'routes/outside/welcome.tsx',
  'welcome-3': 'routes/outside/welcome.tsx',
  reset: 'routes/outside/reset.tsx',
  'reset-2': 'routes/outside/reset.tsx',
  'demo-incomplete': 'routes/outside/demo.tsx',
  'not-found': 'routes/not-found.tsx',
  elsewhere: 'ui/frame/elsewhere-page.tsx',
  // The frame, and dialogs over any screen.
  frame: 'routes/console/layout.tsx',
  menu: 'ui/frame/office-frame.tsx',
  'not-allowed': 'ui/frame/not-allowed-page.tsx',
  'franchise-not-seen': 'ui/fields/unseen-franchise.tsx',
  'screen-failed': 'ui/frame/error-page.tsx',
  'choose-franchise': 'ui/fields/choose-franchise.tsx',
  'still-there': 'features/auth/questions/still-there-dialog.tsx',
  'sign-in-again': 'features/auth/questions/sign-in-again-dialog.tsx',
  'step-up': 'features/auth/questions/step-up-dialog.tsx',
  'step-up-passkey': 'features/auth/questions/step-up-dialog.tsx',
  // Lists and pages.
  payments: 'routes/payments/list.tsx',
  payment: 'routes/payments/payment.tsx',
  'payment-credit-noted': 'routes/payments/payment.tsx',
  'payments-of-several': 'routes/payments/list.tsx',
  'invoices-of-several': 'routes/invoices/list.tsx',
  'customers-of-several': 'routes/customers/list.tsx',
  'refunds-of-several': 'routes/refunds/list.tsx',
  'payment-declined': 'routes/payments/payment.tsx',
  'send-receipt': 'features/payments/send-receipt.tsx',
  'receipt-sent': 'ui/act/done-notice.tsx',
  'credit-looked-at': 'features/payments/look-at-credit.tsx',
  invoices: 'routes/invoices/list.tsx',
  'invoices-none': 'routes/invoices/list.tsx',
  'list-busy': 'routes/invoices/list.tsx',
  'list-failed': 'routes/invoices/list.tsx',
  'list-refused': 'routes/payments/list.tsx',
  'fields-refused': 'routes/customers/customer.tsx',
  'work-order': 'routes/invoices/work-order.tsx',
  'work-order-credited': 'routes/invoices/work-order.tsx',
  'not-heard': 'routes/invoices/work-order.tsx',
  'qr-code': 'features/invoices/work-order-screen.tsx',
  customers: 'routes/customers/list.tsx',
  'customers-invited': 'routes/customers/list.tsx',
  'customers-leave': 'features/customers/invite-selected.tsx',
  customer: 'routes/customers/customer.tsx',
  'end-access': 'features/customers/people.tsx',
  statement: 'routes/customers/statement.tsx',
  'statement-refused': 'routes/customers/statement.tsx',
  'statement-other-days-refused': 'routes/customers/statement.tsx',
  audit: 'routes/console/audit.tsx',
  'audit-nothing': 'routes/console/audit.tsx',
  'audit-bad-filter': 'routes/console/audit.tsx',
  // Import.
  import: 'routes/console/import.tsx',
  'import-checking': 'features/import/import-progress.tsx',
  'import-leave': 'features/import/import-screen.tsx',
  'import-checked': 'features/import/what-changes.tsx',
  'import-checked-of-several': 'features/import/what-changes.tsx',
  'import-faults': 'features/import/import-faults.tsx',
  'import-done': 'routes/console/import.tsx',
  'import-details': 'features/import/import-record.tsx',
  'import-undo': 'ui/act/download-button.tsx',
  // Review.
  review: 'routes/console/review.tsx',
  'review-incomplete': 'routes/console/review.tsx',
  'review-acknowledged': 'routes/console/review.tsx',
  'review-refused': 'features/review/charge-actions.tsx',
  'review-testimony': 'features/review/charge-actions.tsx',
  'difference-acknowledge': 'features/review/acknowledge-difference.tsx',
  'found-payments': 'routes/console/review.tsx',
  'found-payment-acknowledge': 'features/review/found-payments-part.tsx',
  // Refunds.
  refund: 'ui/refund/refund-dialog.tsx',
  'refund-refused': 'ui/refund/refund-dialog.tsx',
  'refund-above-limit': 'ui/refund/refund-dialog.tsx',
  'refund-overpayment': 'features/invoices/refund-overpayment.tsx',
  'payment-refunded': 'routes/payments/payment.tsx',
  'payment-refund-waits': 'routes/payments/payment.tsx',
  'refund-second-time': 'ui/refund/refund-dialog.tsx',
  'refund-not-heard': 'ui/refund/refund-dialog.tsx',
  refunds: 'routes/refunds/list.tsx',
  'refunds-new': 'routes/refunds/list.tsx',
  'refund-page': 'routes/refunds/refund.tsx',
  'refund-together': 'routes/refunds/refund.tsx',
  'refund-own-request': 'routes/refunds/refund.tsx',
  'refund-waits-for-keys': 'routes/refunds/refund.tsx',
  'refund-waits-for-list': 'routes/refunds/refund.tsx',
  'refund-sending': 'routes/refunds/refund.tsx',
  'refund-unknown': 'routes/refunds/refund.tsx',
  'refund-held': 'routes/refunds/refund.tsx',
  'refund-made': 'routes/refunds/refund.tsx',
  'refund-page-refused': 'routes/refunds/refund.tsx',
  'refund-not-made': 'routes/refunds/refund.tsx',
  'refund-closed': 'routes/refunds/refund.tsx',
  'refund-withdrawn': 'routes/refunds/refund.tsx',
  'refund-approve': 'features/refunds/refund-acts.tsx',
  'refund-approve-together': 'features/refunds/refund-acts.tsx',
  'refund-withdraw': 'features/refunds/refund-acts.tsx',
  'refund-send-again': 'features/refunds/refund-acts.tsx',
  'refund-close': 'features/refunds/refund-acts.tsx',
  'refund-decide': 'features/refunds/decide.tsx',
  // Settings.
  account: 'routes/settings/account.tsx',
  'account-passkey': 'routes/settings/account.tsx',
  'factor-add': 'features/account/factor-list.tsx',
  'factor-add-second-app': 'features/account/factor-list.tsx',
  'factor-new-app': 'features/account/factor-list.tsx',
  'factor-rename': 'features/account/factor-list.tsx',
  'factor-remove': 'features/account/factor-list.tsx',
  'recovery-codes-new': 'features/account/recovery-codes-card.tsx',
  'recovery-codes': 'features/account/recovery-codes-card.tsx',
  franchise: 'routes/settings/franchise.tsx',
  'refund-limits-refused': 'routes/settings/franchise.tsx',
  staff: 'routes/settings/staff.tsx',
  'staff-add': 'features/staff/add-staff.tsx',
  'staff-change': 'features/staff/staff-actions.tsx',
  'staff-changed-meanwhile': 'features/staff/staff-actions.tsx',
  'staff-link': 'features/staff/staff-actions.tsx',
  'staff-reset': 'features/staff/staff-actions.tsx',
  'staff-off': 'features/staff/staff-actions.tsx',
  'api-keys': 'routes/settings/api-keys.tsx',
  'key-create': 'features/api-keys/create-key.tsx',
  'key-shown': 'features/api-keys/api-keys-screen.tsx',
  'key-revoke': 'features/api-keys/api-keys-screen.tsx',
  'merchant-account': 'routes/settings/merchant-account.tsx',
  'merchant-account-saved': 'routes/settings/merchant-account.tsx',
} as const;

export type ConsoleState = keyof typeof CONSOLE_STATES;

/**
 * From the narrowest phone to a wide desktop, with every breakpoint. Axe looks at cards on a phone, a table below the menu
 * button, and a table beside the sidebar; 768 has the others' colors.
 */
const CONSOLE_DESIGN: Design = {
  widths: [320, 390, 768, 992, 1280, 1400, 1920],
  looks: new Map([
    [390, BOTH_SCHEMES],
    [768, ['light']],
    [1280, BOTH_SCHEMES],
  ]),
};

/** Checks that the current page fits every width, and that axe finds nothing serious on it, in light and dark. */
export async function expectGood(page: Page, state: ConsoleState): Promise<void> {
  await expectGoodIn(CONSOLE_DESIGN, page, `office-${state}`);
}
