import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { staffFactor } from '../../../db/schema/staff.ts';
import type { FactorRow } from '../factors/factors.queries.ts';
import type { NewCredential } from './webauthn.ts';

/** The person with this passkey, who is locked before it. */
export async function findPasskeyOwner(tx: Queryable, credentialId: Buffer): Promise<string | undefined> {
  const [row] = await query<{ staffId: string }>(tx)`
    SELECT staff_id AS "staffId" FROM staff_factor WHERE credential_id = ${credentialId} AND removed_at IS NULL`;
  return row?.staffId;
}

/** Locked for the rest of the transaction, so that its counter is compared with the latest value. */
export async function lockPasskey(tx: Queryable, credentialId: Buffer): Promise<FactorRow | undefined> {
  const [row] = await query<FactorRow>(tx)`
    SELECT ${columnsOf(staffFactor)} FROM staff_factor
     WHERE credential_id = ${credentialId} AND removed_at IS NULL FOR UPDATE`;
  return row;
}

export async function notePasskeyUsed(
  tx: Queryable,
  { factorId, signCount }: { factorId: string; signCount: number },
): Promise<void> {
  await query(tx)`
    UPDATE staff_factor SET sign_count = ${signCount}, last_used_at = engine_now() WHERE id = ${factorId}`;
}

/** Null if the passkey already belongs to somebody. */
export async function insertPasskey(
  tx: Queryable,
  row: NewCredential & { staffId: string; name: string },
): Promise<string | null> {
  const [made] = await query<{ id: string }>(tx)`
    INSERT INTO staff_factor (staff_id, kind, name, credential_id, public_key, sign_count, transports, confirmed_at)
    VALUES (${row.staffId}, 'passkey', ${row.name}, ${row.credentialId}, ${row.publicKey}, ${row.signCount},
            ${listOf(row.transports, 'text')}, engine_now())
    ON CONFLICT DO NOTHING RETURNING id`;
  return made?.id ?? null;
}
