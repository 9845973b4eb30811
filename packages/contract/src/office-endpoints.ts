/** A call of the office: what it requires, and who may make it. */
export type OfficeEndpoint = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/office/${string}`;
  /** Null: the call is about the caller alone, or signs somebody in. */
  right: string | null;
  /** Whether a person must show a second factor: always, or for some uses of the call. */
  stepUp: boolean | 'some';
  /**
   * Whether API keys may make the call: as people may, not at all, `only` keys, or the operator's key (beside
   * people or alone). A key never shows the second factor that `stepUp` asks of people.
   */
  keys: boolean | 'only' | 'operator' | 'operator-only';
  /** Its answer holds a secret that is shown once. */
  secret: boolean;
  /** Only for callers who see every franchise. */
  forAll?: true;
  /** Who else may make the call, or who instead of signed-in people. */
  from?: 'anybody' | 'password' | 'enrol' | 'idle';
};

type Row = Partial<Omit<OfficeEndpoint, 'name'>> & Pick<OfficeEndpoint, 'method' | 'path' | 'right'>;

/** The defaults: no second factor, keys as people, no secret. */
function rows<const Rows extends Record<string, Row>>(calls: Rows) {
  const named = Object.entries<Row>(calls).map(([name, call]) => [
    name,
    { name, stepUp: false, keys: true, secret: false, ...call },
  ]);
  return Object.fromEntries(named) as {
    [Name in keyof Rows]: OfficeEndpoint & Rows[Name];
  };
}

/** Calls that offices make from programs, and that `npm run portal` makes with their key. */
const BOOKS = rows({
  import: { method: 'POST', path: '/office/import', right: 'import' },
  invite: { method: 'POST', path: '/office/invitations', right: 'invite' },
  franchise: { method: 'PUT', path: '/office/franchises/:franchiseId', right: 'settings', stepUp: 'some' },
  switchUser: { method: 'PUT', path: '/office/users/:email', right: 'invite', forAll: true },
  status: { method: 'GET', path: '/office/status', right: 'view', forAll: true },
  review: { method: 'GET', path: '/office/review', right: 'review' },
  decide: { method: 'POST', path: '/office/review/:chargeId/:decision', right: 'review' },
  reconcile: { method: 'POST', path: '/office/reconcile', right: 'review' },
  restored: { method: 'POST', path: '/office/restored', right: 'review', keys: 'only' },
  moved: { method: 'POST', path: '/office/moved', right: 'staff', keys: 'operator-only' },
  foundPayments: { method: 'GET', path: '/office/found-payments', right: 'review' },
  acknowledgeFoundPayment: {
    method: 'POST',
    path: '/office/found-payments/:orderId/settle',
    right: 'review',
  },
  credits: { method: 'GET', path: '/office/credits', right: 'refund', forAll: true },
  creditSeen: { method: 'POST', path: '/office/credits/:creditId/seen', right: 'refund', forAll: true },
});

/** Checks before an import, and the history of imports. */
const IMPORTS = rows({
  checkImport: { method: 'POST', path: '/office/import/preview', right: 'import' },
  imports: { method: 'GET', path: '/office/imports', right: 'import' },
  importRecord: { method: 'GET', path: '/office/imports/:importId', right: 'import' },
  undoFile: { method: 'GET', path: '/office/imports/:importId/undo.csv', right: 'import', stepUp: true },
});

/** Sign-in, and a person's own account. */
const SESSION = rows({
  signIn: { method: 'POST', path: '/office/session', right: null, keys: false, from: 'anybody' },
  showCode: { method: 'POST', path: '/office/session/totp', right: null, keys: false, from: 'password' },
  showRecoveryCode: {
    method: 'POST',
    path: '/office/session/recovery',
    right: null,
    keys: false,
    from: 'password',
  },
  passkeyOptions: {
    method: 'POST',
    path: '/office/session/passkey/options',
    right: null,
    keys: false,
    from: 'anybody',
  },
  showPasskey: {
    method: 'POST',
    path: '/office/session/passkey',
    right: null,
    keys: false,
    from: 'anybody',
  },
  resume: { method: 'POST', path: '/office/session/resume', right: null, keys: false, from: 'idle' },
  requestReset: {
    method: 'POST',
    path: '/office/session/reset',
    right: null,
    keys: false,
    from: 'anybody',
  },
  confirmReset: {
    method: 'POST',
    path: '/office/session/reset/confirm',
    right: null,
    keys: false,
    from: 'anybody',
  },
  signOut: { method: 'DELETE', path: '/office/session', right: null, keys: false, from: 'anybody' },
  me: { method: 'GET', path: '/office/me', right: null, keys: false },
  welcome: { method: 'POST', path: '/office/welcome', right: null, keys: false, from: 'anybody' },
  stepUpByCode: { method: 'POST', path: '/office/step-up/totp', right: null, keys: false, secret: true },
  stepUpPasskeyOptions: {
    method: 'POST',
    path: '/office/step-up/passkey/options',
    right: null,
    keys: false,
  },
  stepUpByPasskey: {
    method: 'POST',
    path: '/office/step-up/passkey',
    right: null,
    keys: false,
    secret: true,
  },
});

/** Only where the demo runs. */
const DEMO = rows({
  demoSession: { method: 'POST', path: '/office/session/demo', right: null, keys: false, from: 'anybody' },
  stepUpAsDemo: { method: 'POST', path: '/office/step-up/demo', right: null, keys: false, secret: true },
  demoLink: {
    method: 'POST',
    path: '/office/demo-links',
    right: 'staff',
    keys: 'operator-only',
    secret: true,
  },
  moveClock: { method: 'POST', path: '/office/demo-clock', right: 'staff', keys: 'operator-only' },
});

const ACCOUNT = rows({
  addApp: {
    method: 'POST',
    path: '/office/factors/totp',
    right: null,
    keys: false,
    secret: true,
    from: 'enrol',
  },
  confirmApp: {
    method: 'POST',
    path: '/office/factors/totp/confirm',
    right: null,
    keys: false,
    stepUp: 'some',
    secret: true,
    from: 'enrol',
  },
  newPasskeyOptions: {
    method: 'POST',
    path: '/office/factors/passkey/options',
    right: null,
    keys: false,
    from: 'enrol',
  },
  addPasskey: {
    method: 'POST',
    path: '/office/factors/passkey',
    right: null,
    keys: false,
    stepUp: 'some',
    secret: true,
    from: 'enrol',
  },
  renameFactor: { method: 'PUT', path: '/office/factors/:factorId', right: null, keys: false },
  removeFactor: {
    method: 'DELETE',
    path: '/office/factors/:factorId',
    right: null,
    keys: false,
    stepUp: true,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/office/recovery-codes',
    right: null,
    keys: false,
    stepUp: true,
    secret: true,
  },
  account: { method: 'GET', path: '/office/account', right: null, keys: false },
  changeAccount: { method: 'PUT', path: '/office/account', right: null, keys: false },
  changePassword: {
    method: 'PUT',
    path: '/office/account/password',
    right: null,
    keys: false,
    stepUp: true,
  },
  endSession: { method: 'DELETE', path: '/office/account/sessions/:sessionId', right: null, keys: false },
});

/** Staff and API keys. */
const STAFF = rows({
  staff: { method: 'GET', path: '/office/staff', right: 'staff', keys: 'operator' },
  addStaff: {
    method: 'POST',
    path: '/office/staff',
    right: 'staff',
    keys: 'operator',
    stepUp: true,
    secret: true,
  },
  changeStaff: {
    method: 'PUT',
    path: '/office/staff/:staffId',
    right: 'staff',
    keys: 'operator',
    stepUp: true,
  },
  renewStaffLink: {
    method: 'POST',
    path: '/office/staff/:staffId/link',
    right: 'staff',
    keys: 'operator',
    stepUp: true,
    secret: true,
  },
  resetFactors: {
    method: 'DELETE',
    path: '/office/staff/:staffId/factors',
    right: 'staff',
    keys: 'operator',
    stepUp: true,
  },
  confirmStaff: { method: 'POST', path: '/office/staff/confirm', right: 'staff', keys: 'operator-only' },
  apiKeys: { method: 'GET', path: '/office/api-keys', right: 'keys' },
  addApiKey: {
    method: 'POST',
    path: '/office/api-keys',
    right: 'keys',
    keys: false,
    stepUp: true,
    secret: true,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/office/api-keys/:apiKeyId',
    right: 'keys',
    keys: false,
    stepUp: true,
  },
});

const PAYMENTS = rows({
  payments: { method: 'GET', path: '/office/payments', right: 'view' },
  paymentSummary: { method: 'GET', path: '/office/payments/summary', right: 'view' },
  exportPayments: { method: 'GET', path: '/office/payments.csv', right: 'export', stepUp: true },
  payment: { method: 'GET', path: '/office/payments/:paymentId', right: 'view' },
  sendReceipt: { method: 'POST', path: '/office/payments/:paymentId/receipt', right: 'invite' },
  addPaymentNote: { method: 'POST', path: '/office/payments/:paymentId/notes', right: 'invite' },
  lookAtCredit: {
    method: 'POST',
    path: '/office/credits/:franchiseId/:chargeId/:workOrderNumber/looked-at',
    right: 'refund',
  },
});

const CUSTOMERS = rows({
  invoices: { method: 'GET', path: '/office/invoices', right: 'view' },
  exportInvoices: { method: 'GET', path: '/office/invoices.csv', right: 'export', stepUp: true },
  invoice: { method: 'GET', path: '/office/invoices/:franchiseId/:workOrderNumber', right: 'view' },
  noteInvoice: {
    method: 'POST',
    path: '/office/invoices/:franchiseId/:workOrderNumber/notes',
    right: 'invite',
  },
  customers: { method: 'GET', path: '/office/customers', right: 'view' },
  customer: { method: 'GET', path: '/office/customers/:franchiseId/:customerNumber', right: 'view' },
  noteCustomer: {
    method: 'POST',
    path: '/office/customers/:franchiseId/:customerNumber/notes',
    right: 'invite',
  },
  inviteToCustomer: {
    method: 'POST',
    path: '/office/customers/:franchiseId/:customerNumber/invitations',
    right: 'invite',
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/office/customers/:franchiseId/:customerNumber/invitations/:invitationId',
    right: 'invite',
  },
  endAccess: {
    method: 'DELETE',
    path: '/office/customers/:franchiseId/:customerNumber/people/:userId',
    right: 'invite',
  },
  mailPerson: {
    method: 'POST',
    path: '/office/customers/:franchiseId/:customerNumber/people/:userId/mails',
    right: 'invite',
  },
  statement: {
    method: 'GET',
    path: '/office/customers/:franchiseId/:customerNumber/statement',
    right: 'export',
  },
  statementFile: {
    method: 'GET',
    path: '/office/customers/:franchiseId/:customerNumber/statement.csv',
    right: 'export',
  },
});

/** Decisions that the machine leaves to people. */
const REVIEW = rows({
  decideCharge: { method: 'POST', path: '/office/review/:chargeId', right: 'review' },
  differences: { method: 'GET', path: '/office/differences', right: 'review' },
  acknowledgeDifference: {
    method: 'POST',
    path: '/office/differences/:differenceId/acknowledge',
    right: 'review',
  },
});

/** What the frame around every screen loads. */
const FRAME = rows({
  waiting: { method: 'GET', path: '/office/waiting', right: 'view' },
});

/** Refunds, and what blocks them. */
const REFUNDS = rows({
  requestRefund: {
    method: 'POST',
    path: '/office/payments/:paymentId/refunds',
    right: 'refund',
    stepUp: 'some',
  },
  refunds: { method: 'GET', path: '/office/refunds', right: 'view' },
  refund: { method: 'GET', path: '/office/refunds/:refundId', right: 'view' },
  approveRefund: {
    method: 'POST',
    path: '/office/refunds/:refundId/approve',
    right: 'approve',
    keys: false,
    stepUp: true,
  },
  withdrawRefund: { method: 'POST', path: '/office/refunds/:refundId/withdraw', right: 'refund' },
  decideRefund: {
    method: 'POST',
    path: '/office/refunds/:refundId/decide',
    right: 'review',
    keys: false,
    stepUp: true,
  },
  sendRefundAgain: {
    method: 'POST',
    path: '/office/refunds/:refundId/send-again',
    right: 'refund',
    stepUp: 'some',
  },
  recordDispute: { method: 'POST', path: '/office/disputes', right: 'approve' },
});

/** A franchise's settings, and the audit log. */
const SETTINGS = rows({
  franchiseSettings: { method: 'GET', path: '/office/franchises/:franchiseId', right: 'settings' },
  audit: { method: 'GET', path: '/office/audit', right: 'audit' },
  // Everybody with the right to read it may also export it.
  exportAudit: { method: 'GET', path: '/office/audit.csv', right: 'audit', stepUp: true },
  testKeys: { method: 'POST', path: '/office/franchises/:franchiseId/gateway/test', right: 'keys' },
});

/** Every call of the office. Routes, console, rights matrix and OpenAPI document all read this table. */
export const OFFICE_ENDPOINTS = {
  ...BOOKS,
  ...IMPORTS,
  ...SESSION,
  ...DEMO,
  ...ACCOUNT,
  ...STAFF,
  ...CUSTOMERS,
  ...REVIEW,
  ...FRAME,
  ...PAYMENTS,
  ...REFUNDS,
  ...SETTINGS,
};
