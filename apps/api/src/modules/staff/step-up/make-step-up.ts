import { randomBytes } from 'node:crypto';
import type { Act, StepUpAnswer } from '@brightpane/contract/office/sessions';
import { hashToken } from '../../../crypto/hash-token.ts';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { hashOfAct } from '../../acts/act-hash.ts';
import { insertStepUp } from '../../acts/step-up.queries.ts';

/** Makes the one-time token by which an act proves the signed-in person's presence. */
export async function makeStepUp(
  tx: Queryable,
  { caller, act, factorId }: { caller: StaffCaller; act: Act; factorId: string | null },
): Promise<StepUpAnswer> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = await insertStepUp(tx, {
    tokenHash: hashToken(token),
    sessionId: caller.session.id,
    actHash: hashOfAct(act),
    factorId,
  });
  await recordAct(tx, caller, {
    action: 'step-up',
    subject: `staff ${caller.id}`,
    // Drop the query: it may name people.
    detail: { method: act.method, path: act.path.split('?')[0] },
  });
  return { stepUp: token, expiresAt: expiresAt.toISOString() };
}
