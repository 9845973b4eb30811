import type { Right, Role } from '@brightpane/contract/office-rights';
import { personNeeded } from './office.problems.ts';

type Caller = {
  /** The staff member's or API key's id, used by `visible_franchise`. */
  id: string;
  /** The name in the audit: a person's email, or `key:<name>`. */
  name: string;
  rights: ReadonlySet<Right>;
  /** Sees every franchise. */
  isForAll: boolean;
};
export type StaffCaller = Caller & { kind: 'staff'; role: Role; session: OfficeSession };
export type KeyCaller = Caller & {
  kind: 'key';
  /** May make operator calls. */
  isOperator: boolean;
};

/** The caller of an office call, identified before the body is read. */
export type OfficeCaller = StaffCaller | KeyCaller;

/** The person who calls, where the call is for people alone. */
export function personOf(caller: OfficeCaller): StaffCaller {
  if (caller.kind !== 'staff') throw personNeeded();
  return caller;
}

/** How far a person has signed in; `idle`: away for a while. */
export type OfficeSession = { id: string; level: 'password' | 'enrol' | 'full' | 'idle'; isDemo: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Unset on open calls, whose routes don't use it. */
    caller: OfficeCaller;
  }
}
