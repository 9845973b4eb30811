import type { Act } from '@brightpane/contract/office/sessions';
import type { Deps } from '../../../deps.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { ok } from '../../../http/result.ts';
import { hashOfAct } from '../../acts/act-hash.ts';
import { makeStepUp } from '../step-up/make-step-up.ts';
import { checkPasskey } from './check-passkey.ts';

/** Confirms an act with a passkey that signed a challenge for exactly that act. */
export function stepUpByPasskey(
  deps: Deps,
  { caller, credential, act }: { caller: StaffCaller; credential: { id: string }; act: Act },
) {
  const bound = { purpose: 'step-up', sessionId: caller.session.id, actHash: hashOfAct(act) } as const;
  return deps.db.transaction(async (tx) => {
    const checked = await checkPasskey(deps, tx, { credential, bound, staffId: caller.id });
    if (!checked.ok) return checked;
    return ok(await makeStepUp(tx, { caller, act, factorId: checked.value.factorId }));
  });
}
