import { currentRequest } from '../request-context.ts';
import type { Queryable } from './client.ts';
import { auditEvent } from './schema/operations.ts';

/** Who does something: staff or a key by its id, or the portal itself. */
export type Actor = { id: string | null; name: string };

export const PORTAL: Actor = { id: null, name: 'portal' };

export type Act = {
  action: string;
  /** What it was done to, by its kind and its id: `franchise 11`. */
  subject: string;
  franchiseId?: number;
  /** What was so, and is so now; of keys and secrets their names alone. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | undefined;
  /** What else is to be known of it. */
  detail?: Record<string, unknown>;
};

/** Writes down, in the act's own transaction, who did it and in which request. */
export async function recordAct(tx: Queryable, { id, name }: Actor, act: Act): Promise<void> {
  const requestId = currentRequest()?.requestId ?? null;
  await tx.insert(auditEvent).values({ ...act, actor: name, actorId: id, requestId });
}
