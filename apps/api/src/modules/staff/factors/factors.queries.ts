import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { staffFactor } from '../../../db/schema/staff.ts';

export type FactorRow = typeof staffFactor.$inferSelect;

const factor = columnsOf(staffFactor);

const isLive = sql`confirmed_at IS NOT NULL AND removed_at IS NULL`;

/** A person's second factors. */
export async function listFactors(db: Queryable, staffId: string): Promise<FactorRow[]> {
  return query<FactorRow>(db)`
    SELECT ${factor} FROM staff_factor WHERE staff_id = ${staffId} AND ${isLive}
     ORDER BY staff_factor.created_at DESC`;
}

/**
 * Locks a person's factors for the rest of the transaction, so that two removals of the last
 * two run one after the other.
 */
export async function lockFactors(tx: Queryable, staffId: string): Promise<FactorRow[]> {
  await query(tx)`SELECT FROM staff WHERE id = ${staffId} FOR UPDATE`;
  return listFactors(tx, staffId);
}

export async function findApp(db: Queryable, staffId: string): Promise<FactorRow | undefined> {
  const [row] = await query<FactorRow>(db)`
    SELECT ${factor} FROM staff_factor WHERE staff_id = ${staffId} AND kind = 'totp' AND ${isLive}`;
  return row;
}

/** Takes a code's time step. False if it was taken: a code works once. */
export async function takeStep(
  db: Queryable,
  { factorId, step }: { factorId: string; step: number },
): Promise<boolean> {
  const taken = await query(db)`
    UPDATE staff_factor SET totp_last_step = ${step}, last_used_at = engine_now()
     WHERE id = ${factorId} AND totp_last_step < ${step} AND removed_at IS NULL RETURNING id`;
  return taken.length > 0;
}

export async function insertApp(
  db: Queryable,
  { id, staffId, totpSecret }: { id: string; staffId: string; totpSecret: string },
): Promise<void> {
  await query(db)`
    INSERT INTO staff_factor (id, staff_id, kind, name, totp_secret, totp_last_step)
    VALUES (${id}, ${staffId}, 'totp', '', ${totpSecret}, 0)`;
}

/** An app begun within the hour that hasn't shown a code yet. */
export async function findUnconfirmedApp(
  db: Queryable,
  { staffId, factorId }: { staffId: string; factorId: string },
): Promise<FactorRow | undefined> {
  const [row] = await query<FactorRow>(db)`
    SELECT ${factor} FROM staff_factor
     WHERE id = ${factorId} AND staff_id = ${staffId} AND kind = 'totp' AND confirmed_at IS NULL
       AND removed_at IS NULL AND created_at > engine_now() - interval '1 hour'`;
  return row;
}

export async function confirmApp(
  tx: Queryable,
  { factorId, name, step }: { factorId: string; name: string; step: number },
): Promise<void> {
  await query(tx)`
    UPDATE staff_factor SET name = ${name}, totp_last_step = ${step}, confirmed_at = engine_now()
     WHERE id = ${factorId}`;
}

/** Removes apps that never showed a code. */
export async function dropUnconfirmedApps(tx: Queryable, staffId: string): Promise<void> {
  await query(tx)`
    UPDATE staff_factor SET removed_at = engine_now()
     WHERE staff_id = ${staffId} AND confirmed_at IS NULL AND removed_at IS NULL`;
}

export async function renameFactor(
  db: Queryable,
  { staffId, factorId, name }: { staffId: string; factorId: string; name: string },
): Promise<FactorRow | undefined> {
  const [row] = await query<FactorRow>(db)`
    UPDATE staff_factor SET name = ${name}
     WHERE id = ${factorId} AND staff_id = ${staffId} AND ${isLive} RETURNING ${factor}`;
  return row;
}

/** Removes the named factor, or all. Returns what was removed. */
export async function removeFactors(
  tx: Queryable,
  { staffId, factorId }: { staffId: string; factorId?: string },
): Promise<FactorRow[]> {
  return query<FactorRow>(tx)`
    UPDATE staff_factor SET removed_at = engine_now()
     WHERE staff_id = ${staffId} AND removed_at IS NULL
       ${factorId === undefined ? sql`` : sql`AND id = ${factorId}`}
    RETURNING ${factor}`;
}

export async function replaceRecoveryCodes(
  tx: Queryable,
  { staffId, hashes }: { staffId: string; hashes: Buffer[] },
): Promise<void> {
  await removeRecoveryCodes(tx, staffId);
  await query(tx)`
    INSERT INTO staff_recovery_code (staff_id, code_hash)
    SELECT ${staffId}::uuid, hash FROM unnest(${listOf(hashes, 'bytea')}) AS made (hash)`;
}

export async function removeRecoveryCodes(tx: Queryable, staffId: string): Promise<void> {
  await query(tx)`DELETE FROM staff_recovery_code WHERE staff_id = ${staffId}`;
}

type RecoveryCode = { staffId: string; codeHash: Buffer };

const isUnused = ({ staffId, codeHash }: RecoveryCode) => sql`
  code_hash = ${codeHash} AND staff_id = ${staffId} AND used_at IS NULL`;

export async function hasRecoveryCode(db: Queryable, code: RecoveryCode): Promise<boolean> {
  const rows = await query(db)`SELECT FROM staff_recovery_code WHERE ${isUnused(code)}`;
  return rows.length > 0;
}

/** False if the code isn't this person's, or was used. */
export async function spendRecoveryCode(tx: Queryable, code: RecoveryCode): Promise<boolean> {
  const spent = await query(tx)`
    UPDATE staff_recovery_code SET used_at = engine_now() WHERE ${isUnused(code)} RETURNING code_hash`;
  return spent.length > 0;
}

export async function countRecoveryCodes(db: Queryable, staffId: string): Promise<number> {
  const rows = await query<{ count: number }>(db)`
    SELECT count(*) AS count FROM staff_recovery_code WHERE staff_id = ${staffId} AND used_at IS NULL`;
  return onlyRow(rows).count;
}

/** The secrets of all apps in use; about as many as people, so no paging. */
export async function selectAppSecrets(db: Queryable): Promise<{ id: string; totpSecret: string }[]> {
  return query<{ id: string; totpSecret: string }>(db)`
    SELECT id, totp_secret AS "totpSecret" FROM staff_factor
     WHERE kind = 'totp' AND removed_at IS NULL AND totp_secret IS NOT NULL`;
}

export async function replaceAppSecret(
  db: Queryable,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await query(db)`UPDATE staff_factor SET totp_secret = ${to} WHERE id = ${id} AND totp_secret = ${from}`;
}
