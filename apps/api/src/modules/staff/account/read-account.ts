import type { Account } from '@brightpane/contract/office/sessions';
import type { Deps } from '../../../deps.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { countRecoveryCodes, listFactors } from '../factors/factors.queries.ts';
import { findStaff } from '../people/staff.queries.ts';
import { listSessions } from '../sessions/sessions.queries.ts';

/** A person's sign-in factors and sessions. */
export async function readAccount(
  { db }: Pick<Deps, 'db'>,
  { id, session: own }: StaffCaller,
): Promise<Account> {
  const person = await findStaff(db.query, id);
  const factors = await listFactors(db.query, id);
  const sessions = await listSessions(db.query, id);
  return {
    factors: factors.map((factor) => ({
      factorId: factor.id,
      kind: factor.kind,
      name: factor.name,
      createdAt: factor.createdAt.toISOString(),
      lastUsedAt: factor.lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await countRecoveryCodes(db.query, id),
    sessions: sessions.map(({ sessionId, device, since, lastSeenAt }) => ({
      sessionId,
      device,
      since: since.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isThis: sessionId === own.id,
    })),
    shortcuts: person?.shortcuts ?? true,
  };
}
