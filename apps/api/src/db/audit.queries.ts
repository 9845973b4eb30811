import { currentRequest } from '../request-context.ts';
import type { Queryable } from './client.ts';
import { query } from './query.ts';

/** Who acts: a staff member or API key by id, or the portal itself. */
export type Actor = { id: string | null; name: string };

export const PORTAL: Actor = { id: null, name: 'portal' };

export type Act = {
  action: string;
  /** What was acted on, as kind and id: `franchise 11`. */
  subject: string;
  franchiseId?: number;
  /** The values before and after; for keys and secrets only their names. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
  /** Anything else worth knowing. */
  detail?: Record<string, unknown>;
};

/** The office of an act, if there is one alone: with several, naming one would hide the act from the others. */
export function onlyOffice(franchiseIds: readonly number[]): { franchiseId?: number } {
  const [franchiseId, ...others] = franchiseIds;
  return franchiseId !== undefined && others.length === 0 ? { franchiseId } : {};
}

/** Records, in the act's own transaction, who acted and in which request. */
export async function recordAct(tx: Queryable, { id, name }: Actor, act: Act): Promise<void> {
  const requestId = currentRequest()?.requestId ?? null;
  await query(tx)`
    INSERT INTO audit_event (actor, actor_id, request_id, action, subject, franchise_id, reason, before, after, detail)
    VALUES (${name}, ${id}, ${requestId}, ${act.action}, ${act.subject}, ${act.franchiseId ?? null},
            ${act.reason ?? null}, ${jsonOf(act.before)}, ${jsonOf(act.after)}, ${jsonOf(act.detail ?? {})})`;
}

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
