/**
 * The files that a customer's payment goes through, in order, from the Pay button to the rows of the ledger. Not listed:
 * helpers that compute one value and return it (a key, a hash, a mail), and what every call uses (sessions, statements).
 */
export const PAYMENT_PATH = [
  'apps/web/app/features/payments/pay-bar.tsx',
  'apps/web/app/features/payments/payment-form.tsx',
  'apps/web/app/routes/portal/dashboard.tsx',
  'apps/web/app/features/payments/pay-invoices.ts',
  'apps/web/app/lib/api-client.ts',
  'apps/web/app/lib/send-request.ts',
  'packages/ui/src/forms/ask-server.ts',
  'packages/contract/src/endpoints.ts',
  'packages/contract/src/invoices/payments.ts',
  'apps/api/src/modules/payments/pay/portal-payments.routes.ts',
  'apps/api/src/modules/payments/pay/pay-invoices.ts',
  'apps/api/src/modules/payments/pay/pay-once.ts',
  'apps/api/src/modules/payments/pay/replay/replay-payment.ts',
  'apps/api/src/modules/payment-methods/open-card.ts',
  'apps/api/src/modules/payments/pay/claim.ts',
  'apps/api/src/modules/invoices/payable-invoices.queries.ts',
  'apps/api/src/modules/payments/pay/price-work-order.ts',
  'apps/api/src/modules/payments/engine/payments.queries.ts',
  'apps/api/src/modules/payments/engine/charges.queries.ts',
  'apps/api/src/modules/payments/pay/charge.ts',
  'apps/api/src/modules/payments/pay/authorize-charge.ts',
  'apps/api/src/gateway/open-gateways.ts',
  'apps/api/src/gateway/usaepay/usaepay-gateway.ts',
  'apps/api/src/gateway/open-caller.ts',
  'apps/api/src/gateway/send-once.ts',
  'apps/api/src/modules/payments/engine/decide-until-known.ts',
  'apps/api/src/modules/payments/engine/decide.ts',
  'apps/api/src/modules/payments/engine/run-transition.ts',
  'apps/api/src/modules/payments/engine/transitions.ts',
  'apps/api/src/modules/payments/engine/ledger.queries.ts',
];

/** Where the path goes on without an import: the form submits, the browser calls, a dependency is handed over. */
const HANDED_OVER = [
  'apps/web/app/features/payments/payment-form.tsx',
  'apps/web/app/routes/portal/dashboard.tsx',
  'apps/api/src/modules/payments/pay/portal-payments.routes.ts',
  'apps/api/src/gateway/open-gateways.ts',
];

/** Steps that nothing before them on the path leads to. */
export function findGaps(
  path: readonly string[],
  { importsOf, handedOver }: { importsOf: (file: string) => string[]; handedOver: readonly string[] },
): string[] {
  return path.filter((file, place) => {
    if (place === 0 || handedOver.includes(file)) return false;
    return !path.slice(0, place).some((earlier) => importsOf(earlier).includes(file));
  });
}

/** The length of the path. Throws if it no longer leads from the button to the ledger. */
export function countPaymentPath(importsOf: (file: string) => string[]): number {
  const gaps = findGaps(PAYMENT_PATH, { importsOf, handedOver: HANDED_OVER });
  if (gaps.length > 0) throw new Error(`a payment's path does not lead to ${gaps.join(', ')}`);
  return PAYMENT_PATH.length;
}
