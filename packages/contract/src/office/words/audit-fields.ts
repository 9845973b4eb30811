/** The facts before and after an act, as the audit names them. */
export const AUDIT_FIELDS = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  timeZone: 'Time zone',
  maxCreditPercent: 'Largest credit',
  refundLimit: 'Refunds of one payment',
  refundDayLimit: 'Refunds on one day',
  role: 'Role',
  franchiseIds: 'Franchises',
  franchiseId: 'Franchise',
  rights: 'Rights',
  publicId: 'Key begins with',
  state: 'State',
  works: 'Keys work',
  kind: 'Kind',
  factors: 'Factors',
  shortcuts: 'Search with /',
  amount: 'Amount',
  amountCents: 'Amount',
  orderId: 'Order id',
  reference: 'Reference',
  chargeId: 'Charge',
  openedOn: 'Opened on',
  importId: 'Import',
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  overpaid: 'Overpaid',
} as const;

/** Further facts of an act, which are neither before nor after it. */
export const AUDIT_FACTS = {
  person: 'Person',
  recipient: 'Sent to',
  rows: 'Rows',
  filters: 'Filters',
  amountCents: 'Amount',
  method: 'Method',
  transactionKey: 'Provider’s transaction',
} as const;

export type AuditFact = keyof typeof AUDIT_FACTS;

export type AuditField = keyof typeof AUDIT_FIELDS;
