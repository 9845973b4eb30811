import { and, eq, lt } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { officeAnswer } from '../../db/schema/staff.ts';

type Name = { actorId: string; idemKey: string };

/** Marks a request in progress; no answer has this status. */
const UNDER_WAY = 0;

const isNamed = ({ actorId, idemKey }: Name) =>
  and(eq(officeAnswer.actorId, actorId), eq(officeAnswer.idemKey, idemKey));

/** False if the key was used before. */
export async function takeAnswerKey(tx: Queryable, row: Name & { requestHash: Buffer }): Promise<boolean> {
  const taken = await tx
    .insert(officeAnswer)
    .values({ ...row, status: UNDER_WAY })
    .onConflictDoNothing()
    .returning({ idemKey: officeAnswer.idemKey });
  return taken.length > 0;
}

export async function keepAnswer(
  tx: Queryable,
  { status, body, ...name }: Name & { status: number; body: unknown },
): Promise<void> {
  await tx.update(officeAnswer).set({ status, body }).where(isNamed(name));
}

export async function findAnswer(
  tx: Queryable,
  name: Name,
): Promise<{ requestHash: Buffer; status: number; body: unknown } | undefined> {
  const { requestHash, status, body } = officeAnswer;
  const [row] = await tx.select({ requestHash, status, body }).from(officeAnswer).where(isNamed(name));
  return row;
}

export async function removeAnswersBefore(db: Queryable, date: Date): Promise<void> {
  await db.delete(officeAnswer).where(lt(officeAnswer.at, date));
}
