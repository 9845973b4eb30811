import type { Right, Role } from '@brightpane/contract/office-rights';

/** The caller of an office call, identified before the body is read. */
export type OfficeCaller = {
  kind: 'staff' | 'key';
  /** The staff member's or API key's id, used by `visible_franchise`. */
  id: string;
  /** The name in the audit: a person's email, or `key:<name>`. */
  name: string;
  rights: ReadonlySet<Right>;
  role: Role | null;
  /** Sees every franchise. */
  isForAll: boolean;
  /** A key that may make operator calls. */
  isOperator: boolean;
  session: OfficeSession | null;
  sessionId: string | null;
};

/** How far a person has signed in; `idle`: away for a while. */
export type OfficeSession = { id: string; level: 'password' | 'enrol' | 'full' | 'idle'; isDemo: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Unset on open calls, whose routes don't use it. */
    caller: OfficeCaller;
  }
}
