import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/** Ten new codes for a person; the older ones stop working. */
export async function renewRecoveryCodes(
  tx: Queryable,
  { staffId, by }: { staffId: string; by: Actor },
): Promise<string[]> {
  const codes = await makeRecoveryCodes(tx, staffId);
  await recordAct(tx, by, { action: 'renew-recovery-codes', subject: `staff ${staffId}` });
  return codes;
}
