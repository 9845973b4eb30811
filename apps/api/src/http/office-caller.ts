import type { Right, Role } from '@brightpane/contract/office-rights';

/** Who makes a call of the office. Found out before the call's body is read. */
export type OfficeCaller = {
  kind: 'staff' | 'key';
  /** Of the staff or of the API key: what `visible_franchise` knows the caller by. */
  id: string;
  /** As the audit has it: a person's email, or `key:<name>`. */
  name: string;
  rights: ReadonlySet<Right>;
  role: Role | null;
  /** Sees every franchise. */
  isForAll: boolean;
  /** A key that may make the calls of an operator. */
  isOperator: boolean;
  session: OfficeSession | null;
  sessionId: string | null;
};

/** How far a person has come with signing in; `idle` is one who was away for a while. */
export type OfficeSession = { id: string; level: 'password' | 'enrol' | 'full' | 'idle'; isDemo: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Not there on calls that anybody may make, whose routes do not look at it. */
    caller: OfficeCaller;
  }
}
