import { sql } from 'drizzle-orm';
import {
  callConfirmed,
  consoleHeaders,
  makeStaff,
  signInStaff,
  stepUpFor,
  type TestPerson,
} from '../../../../../apps/api/test/office/office-people.ts';
import type { CrashRig } from '../crash-points/rig.ts';
import { must } from '../provider-faults/payments.ts';
import type { RefundPoint } from './refund-cases.ts';

export type Who = { person: TestPerson; cookie: string };
export type Act = { path: string; body: object };

/** Signs in a person of headquarters, who may approve and decide. */
export async function signIn({ portal }: CrashRig): Promise<Who> {
  const person = await makeStaff(portal, { role: 'finance' });
  return { person, cookie: await signInStaff(portal, person) };
}

/** Sends her call, with its second factor, to a process that kills itself while serving it. */
export async function dieOver(
  rig: CrashRig,
  who: Who,
  { point, path, body }: Act & { point: RefundPoint },
): Promise<void> {
  const factor = await stepUpFor(rig.portal, who, { method: 'POST', path, body });
  const crashing = await rig.processes.crashAt(point);
  const headers = consoleHeaders({ cookie: who.cookie, headers: factor });
  const answer = await crashing.post(`/office${path}`, body, { headers });
  must(answer === null, `it was answered ${JSON.stringify(answer)}`);
  await crashing.killed();
}

/** Repeats the call at the surviving portal, and returns the answer's status. */
export async function actAgain({ portal }: CrashRig, who: Who, { path, body }: Act): Promise<number> {
  return (await callConfirmed(portal, who, 'POST', path, body)).statusCode;
}

/** Counts a refund's audit entries of this act. */
export async function countActs(
  { portal }: CrashRig,
  refundId: string | undefined,
  event: string,
): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM audit_event
     WHERE subject = ${`refund ${refundId}`} AND action = ${`refund: ${event}`}`);
  return rows[0]?.count ?? 0;
}
