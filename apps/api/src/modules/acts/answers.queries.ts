import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { removeOld } from '../../db/statements/remove-old.queries.ts';

type Name = { actorId: string; idemKey: string };

/** Marks a request in progress; no answer has this status. */
const UNDER_WAY = 0;

const isNamed = ({ actorId, idemKey }: Name): SQL => sql`actor_id = ${actorId} AND idem_key = ${idemKey}`;

/** False if the key was used before. */
export async function takeAnswerKey(
  tx: Queryable,
  { actorId, idemKey, requestHash }: Name & { requestHash: Buffer },
): Promise<boolean> {
  const taken = await query(tx)`
    INSERT INTO office_answer (actor_id, idem_key, request_hash, status)
    VALUES (${actorId}, ${idemKey}, ${requestHash}, ${UNDER_WAY})
    ON CONFLICT DO NOTHING RETURNING idem_key`;
  return taken.length > 0;
}

export async function keepAnswer(
  tx: Queryable,
  { status, body, ...name }: Name & { status: number; body: unknown },
): Promise<void> {
  await query(tx)`
    UPDATE office_answer SET status = ${status}, body = ${body === null ? null : JSON.stringify(body)}
     WHERE ${isNamed(name)}`;
}

export async function findAnswer(
  tx: Queryable,
  name: Name,
): Promise<{ requestHash: Buffer; status: number; body: unknown } | undefined> {
  const [row] = await query<{ requestHash: Buffer; status: number; body: unknown }>(tx)`
    SELECT request_hash AS "requestHash", status, body FROM office_answer WHERE ${isNamed(name)}`;
  return row;
}

export async function removeAnswersBefore(db: Queryable, date: Date): Promise<void> {
  await removeOld(db, { from: 'office_answer', where: sql`at < ${date}`, oldestBy: 'at' });
}
