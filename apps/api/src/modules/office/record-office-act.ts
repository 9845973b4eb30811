import type { Queryable } from '../../db/client.ts';
import { auditEvent } from '../../db/schema/operations.ts';

/** Writes down, in the caller's transaction, what an office did by its calls. */
export async function recordOfficeAct(
  tx: Queryable,
  act: { action: string; subject: string; detail: Record<string, unknown> },
): Promise<void> {
  await tx.insert(auditEvent).values({ actor: 'office', ...act });
}
