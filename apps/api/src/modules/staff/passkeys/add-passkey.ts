import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { fail } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { refuseRepeat } from '../../acts/answer-once.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { factorAdded } from '../factors/factor-added.ts';
import { lockFactors } from '../factors/factors.queries.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { insertPasskey } from './passkeys.queries.ts';
import { readChallenge } from './read-challenge.ts';
import { spendChallenge } from './spend-challenge.ts';
import { readNewPasskey } from './webauthn.ts';

/** Adds a passkey that answers a challenge made for this session. */
export async function addPasskey(
  deps: Deps,
  { credential, name, ...exchange }: Exchange & { credential: { id: string }; name: string },
) {
  const caller = personOf(exchange.request.caller);
  const challenge = readChallenge(credential);
  const read = await readNewPasskey(deps.env, { credential, challenge });
  return allOrNothing(deps.db, async (tx) => {
    await refuseRepeat(tx, exchange.request);
    const factors = await lockFactors(tx, caller.id);
    if (caller.session.level === 'full') await spendStepUp(tx, exchange.request);
    const bound = { purpose: 'enrol', sessionId: caller.session.id, actHash: null } as const;
    if (!read || !(await spendChallenge(deps, tx, { ...bound, challenge }))) return fail('passkey-failed');
    const factorId = await insertPasskey(tx, { ...read, staffId: caller.id, name });
    if (factorId === null) return fail('passkey-failed');
    return factorAdded(deps, tx, { ...exchange, factorId, name, factors, method: 'passkey' });
  });
}
