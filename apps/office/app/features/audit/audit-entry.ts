/** One act, as the audit list answers it. */
export type AuditEntry = {
  id: string;
  at: string;
  who: { kind: 'staff' | 'key' | 'portal'; name: string };
  action: string;
  subject: string;
  /** Where the subject is shown, below `/office`. */
  href: string | null;
  /** `null`: an act about no franchise, which headquarters see. */
  franchiseId: number | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  requestId: string | null;
};

export const AUDIT_CALL = { method: 'GET', path: '/office/audit' };
