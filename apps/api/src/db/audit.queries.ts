import { currentRequest } from '../request-context.ts';
import type { Queryable } from './client.ts';
import { listOf, query } from './query.ts';

/** Who acts: a staff member or API key by id, or the portal itself. */
export type Actor = { id: string | null; name: string };

export const PORTAL: Actor = { id: null, name: 'portal' };

export type Act = {
  action: string;
  /** What was acted on, as kind and id: `franchise 11`. */
  subject: string;
  franchiseId?: number;
  /** The offices of an act that concerned several. */
  franchiseIds?: readonly number[];
  /** The values before and after; for keys and secrets only their names. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
  /** Anything else worth knowing. */
  detail?: Record<string, unknown>;
};

/** Whose act it is. Of several offices all are named: with one of them, the act would be hidden from the others. */
export function ofOffices(franchiseIds: readonly number[]): Pick<Act, 'franchiseId' | 'franchiseIds'> {
  const [franchiseId, ...others] = new Set(franchiseIds);
  if (franchiseId === undefined) return {};
  return others.length === 0 ? { franchiseId } : { franchiseIds: [franchiseId, ...others] };
}

/** Records, in the act's own transaction, who acted and in which request. */
export async function recordAct(tx: Queryable, { id, name }: Actor, act: Act): Promise<void> {
  const requestId = currentRequest()?.requestId ?? null;
  await query(tx)`
    INSERT INTO audit_event (actor, actor_id, request_id, action, subject, franchise_id, franchise_ids, reason, before, after, detail)
    VALUES (${name}, ${id}, ${requestId}, ${act.action}, ${act.subject}, ${act.franchiseId ?? null},
            ${act.franchiseIds ? listOf(act.franchiseIds, 'integer') : null}, ${act.reason ?? null}, ${jsonOf(act.before)}, ${jsonOf(act.after)}, ${jsonOf(act.detail ?? {})})`;
}

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
