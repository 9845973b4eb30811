import type { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';

export type Name = keyof typeof OFFICE_ENDPOINTS;

/** One of each thing of an office. Path parameters are taken from here by name. */
export type Things = {
  franchiseId: number;
  workOrderNumber: number;
  customerNumber: number;
  /** One of the office's clerks. */
  staffId: string;
  /** A payment to this office alone, with a credit on its work order. */
  paymentId: string;
  chargeId: string;
  /** A refund that was made, of another payment. */
  refundId: string;
  importId: string;
  /** The customer's. */
  invitationId: string;
  userId: string;
} & Record<string, string | number>;

export type Input = {
  /**
   * What a call is about: a thing of an office (by `franchiseId` or by a person); nobody, if only the caller matters;
   * `absent`, if no such thing exists here; or a demo's session, which nobody here has.
   */
  about: 'an office' | 'nobody' | 'absent' | 'a demo session';
  body?: (things: Things) => unknown;
  query?: string;
  headers?: Record<string, string>;
};

const nobody = (body?: unknown): Input => ({
  about: 'nobody',
  ...(body !== undefined && { body: () => body }),
});
const office = (body?: Input['body'], query?: string): Input => ({
  about: 'an office',
  ...(body && { body }),
  ...(query !== undefined && { query }),
});
const absent = (body?: unknown): Input => ({
  about: 'absent',
  ...(body !== undefined && { body: () => body }),
});

const credential = { id: 'AA', rawId: 'AA', type: 'public-key', response: {} };
const act = { method: 'POST', path: '/api/office/staff', body: '' };
const password = 'nine yellow ladders';
const link = { email: 'nobody@staff.example', token: 'made up' };
const note = () => ({ text: 'Rang twice.' });

/** One line per call; a call without a line fails. */
export const INPUTS: Record<Name, Input> = {
  import: nobody({}),
  invite: office(({ franchiseId, customerNumber }) => ({
    franchiseId,
    customerNumber,
    email: 'invited@example.com',
  })),
  franchise: { ...office(() => ({ phone: '217-555-0123' })), headers: { 'if-match': '"1"' } },
  switchUser: absent({ active: true }),
  status: nobody(),
  review: nobody(),
  decide: absent(),
  reconcile: nobody(),
  restored: nobody({}),
  moved: absent({ from: 'https://nowhere.example.com' }),
  foundPayments: nobody(),
  acknowledgeFoundPayment: { ...absent(), headers: { 'if-match': '"1"' } },
  credits: nobody(),
  creditSeen: absent(),
  checkImport: nobody({}),
  imports: nobody(),
  importRecord: office(),
  undoFile: office(),
  signIn: nobody({ email: 'nobody@staff.example', password }),
  showCode: nobody({ code: '000000' }),
  showRecoveryCode: nobody({ code: 'XXXX-XXXX-XXXX-XXXX' }),
  passkeyOptions: nobody({}),
  showPasskey: nobody({ credential }),
  resume: nobody({ code: '000000' }),
  requestReset: nobody({ email: 'nobody@staff.example' }),
  confirmReset: nobody({ ...link, password }),
  signOut: nobody(),
  me: nobody(),
  welcome: nobody({ ...link, firstName: 'Robin', lastName: 'Example', password }),
  stepUpByCode: nobody({ code: '000000', act }),
  stepUpPasskeyOptions: nobody({ act }),
  stepUpByPasskey: nobody({ credential, act }),
  demoSession: nobody({ token: 'made up' }),
  stepUpAsDemo: { about: 'a demo session', body: () => ({ act }) },
  moveClock: nobody({ seconds: 1 }),
  demoLink: absent({ email: 'nobody@staff.example' }),
  addApp: nobody({}),
  confirmApp: absent({ factorId: '00000000-0000-4000-8000-00000000abcd', code: '000000', name: 'Phone' }),
  newPasskeyOptions: nobody({}),
  addPasskey: nobody({ credential, name: 'Phone' }),
  renameFactor: absent({ name: 'Phone' }),
  removeFactor: absent(),
  renewRecoveryCodes: nobody({}),
  account: nobody(),
  changeAccount: nobody({ shortcuts: true }),
  changePassword: nobody({ password }),
  endSession: absent(),
  staff: nobody(),
  addStaff: office(({ franchiseId }) => ({
    email: 'added@staff.example',
    role: 'clerk',
    franchiseIds: [franchiseId],
  })),
  changeStaff: office(() => ({ role: 'viewer' })),
  renewStaffLink: office(),
  resetFactors: office(),
  confirmStaff: nobody({ email: 'nobody@staff.example' }),
  apiKeys: nobody(),
  addApiKey: office(({ franchiseId }) => ({ name: 'A program', franchiseId, rights: ['view'] })),
  revokeApiKey: absent(),
  invoices: nobody(),
  invoice: office(),
  noteInvoice: office(note),
  customers: nobody(),
  customer: office(),
  noteCustomer: office(note),
  inviteToCustomer: office(() => ({ email: 'invited@example.com' })),
  withdrawInvitation: office(),
  endAccess: office(),
  mailPerson: office(() => ({ kind: 'reset' })),
  statement: office(undefined, 'from=2026-11-01&to=2026-11-30'),
  statementFile: office(undefined, 'from=2026-11-01&to=2026-11-30'),
  decideCharge: absent({ decision: 'close' }),
  differences: nobody(),
  waiting: nobody(),
  acknowledgeDifference: { ...absent({ note: 'Seen.' }), headers: { 'if-match': '"1"' } },
  payments: nobody(),
  paymentSummary: nobody(),
  exportPayments: nobody(),
  exportInvoices: nobody(),
  payment: office(),
  sendReceipt: office(() => ({ email: 'ana@example.com' })),
  addPaymentNote: office(note),
  lookAtCredit: office(() => ({})),
  requestRefund: {
    ...office(({ franchiseId, workOrderNumber }) => ({
      reason: 'complaint',
      lines: [{ franchiseId, workOrderNumber, amount: 1, effect: 'due-again' }],
    })),
    headers: { 'idempotency-key': 'one' },
  },
  refunds: nobody(),
  refund: office(),
  approveRefund: office(() => ({})),
  withdrawRefund: office(() => ({ note: 'Not needed.' })),
  decideRefund: {
    ...office(() => ({ decision: 'keep-asking', note: 'Looked at.' })),
    headers: { 'if-match': '"1"' },
  },
  sendRefundAgain: { ...office(() => ({})), headers: { 'idempotency-key': 'again' } },
  recordDispute: office(({ chargeId }) => ({ chargeId, amount: 1, openedOn: '2026-11-01' })),
  audit: nobody(),
  exportAudit: nobody(),
  franchiseSettings: office(),
  testKeys: office(() => ({ apiKey: 'made-up', pin: '1234', publicKey: '_made_up' })),
};
