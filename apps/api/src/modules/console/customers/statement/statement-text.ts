import type { StatementLine } from './statement.queries.ts';

const TEXTS: Record<StatementLine['kind'] | 'opening', string | null> = {
  opening: 'Opening balance',
  invoice: null,
  payment: 'Paid by card',
  'office-payment': 'Paid to the office',
  'not-collected': 'Payment not collected',
  refund: 'Refunded',
  'refund-undone': 'Refund taken back',
};

/** A line in the customer's words; an invoice by its service. */
export const statementText = ({ kind, service }: { kind: keyof typeof TEXTS; service: string }): string =>
  TEXTS[kind] ?? service;
