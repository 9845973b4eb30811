import { type Actor, auditColumns } from '../../db/audit-columns.ts';
import type { Queryable } from '../../db/client.ts';
import { auditEvent } from '../../db/schema/operations.ts';

export type OfficeAct = {
  action: string;
  /** What it was done to, by its kind and its id: `franchise 11`. */
  subject: string;
  franchiseId?: number;
  /** What was so, and is so now; of keys and secrets their names alone. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string;
  /** What else is to be known of it. */
  detail?: Record<string, unknown>;
};

/** Writes down, in the act's own transaction, what the office did. */
export async function recordOfficeAct(tx: Queryable, by: Actor, act: OfficeAct): Promise<void> {
  await tx.insert(auditEvent).values({ ...act, ...auditColumns(by) });
}
