/** A call of the office: what it needs, and who may make it. */
export type OfficeEndpoint = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/office/${string}`;
  /** Null: it is about the caller alone, or makes somebody a caller. */
  right: string | null;
  /** Whether a person shows a second factor for it: always, or for some of what it does. */
  stepUp: boolean | 'some';
  /**
   * Whether keys may make it: as people do, not at all, they `only`, or, beside people or alone, the operator's. A call
   * with `stepUp` that keys may make goes without one under a key.
   */
  keys: boolean | 'only' | 'operator' | 'operator-only';
  /** Its answer holds a secret, which is shown once. */
  secret: boolean;
  /** Only for callers who see every franchise. */
  forAll?: true;
  /** Who may make it beside, or instead of, people who are signed in. */
  from?: 'anybody' | 'password' | 'enrol' | 'idle';
};

type Row = Partial<Omit<OfficeEndpoint, 'name'>> & Pick<OfficeEndpoint, 'method' | 'path' | 'right'>;

/** What is not said of a call: no second factor, keys as people, no secret. */
function rows<const Rows extends Record<string, Row>>(calls: Rows) {
  const named = Object.entries<Row>(calls).map(([name, call]) => [
    name,
    { name, stepUp: false, keys: true, secret: false, ...call },
  ]);
  return Object.fromEntries(named) as {
    [Name in keyof Rows]: OfficeEndpoint & Rows[Name];
  };
}

/** What offices call by program, and `npm run portal` by their key. */
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
  foundPayments: { method: 'GET', path: '/office/found-payments', right: 'review' },
  acknowledgeFoundPayment: {
    method: 'POST',
    path: '/office/found-payments/:orderId/settle',
    right: 'review',
  },
  credits: { method: 'GET', path: '/office/credits', right: 'refund', forAll: true },
  creditSeen: { method: 'POST', path: '/office/credits/:creditId/seen', right: 'refund', forAll: true },
});

/** What goes before an import, and what is kept of it. */
const IMPORTS = rows({
  checkImport: { method: 'POST', path: '/office/import/preview', right: 'import' },
  imports: { method: 'GET', path: '/office/imports', right: 'import' },
  importRecord: { method: 'GET', path: '/office/imports/:importId', right: 'import' },
  undoFile: { method: 'GET', path: '/office/imports/:importId/undo.csv', right: 'import' },
});

/** Every call of the office. Routes, console, rights matrix and the API's description read this one table. */
export const OFFICE_ENDPOINTS = {
  ...BOOKS,
  ...IMPORTS,
};
