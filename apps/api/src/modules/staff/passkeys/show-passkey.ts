import type { Deps } from '../../../deps.ts';
import { type OfficeCaller, personOf } from '../../../http/office-caller.ts';
import { fail } from '../../../http/result.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { finishSignIn } from '../sign-in/finish-sign-in.ts';
import { resumeSession } from '../sign-in/resume-session.ts';
import type { Bound } from './challenges.queries.ts';
import { checkPasskey } from './check-passkey.ts';

type Shown = Exchange & { credential: { id: string } };

/** An idle session resumes; otherwise this is a sign-in, with or without a password first. */
export function signInPurpose(caller: OfficeCaller | null | undefined): Bound {
  const session = caller?.kind === 'staff' ? caller.session : null;
  const isAway = session?.level === 'idle';
  const isUnder = isAway || session?.level === 'password';
  return {
    purpose: isAway ? 'resume' : 'sign-in',
    sessionId: isUnder ? session.id : null,
    actHash: null,
  };
}

/** Signs in with a passkey, which counts as two factors because its person unlocked it. */
export function showPasskey(deps: Deps, { credential, ...exchange }: Shown) {
  const { caller } = exchange.request;
  const bound = signInPurpose(caller);
  if (bound.purpose === 'resume') return resumeWithPasskey(deps, { credential, ...exchange });
  const staffId = bound.sessionId === null ? null : caller.id;
  return deps.db.transaction(async (tx) => {
    const checked = await checkPasskey(deps, tx, { credential, bound, staffId });
    if (!checked.ok) return checked;
    const { person } = checked.value;
    if (person.state === 'off') return fail('switched-off');
    if (person.heldAt !== null) return fail('access-held');
    return finishSignIn(deps, tx, { ...exchange, person, method: 'passkey' });
  });
}

/** Resumes an idle session. */
export function resumeWithPasskey(deps: Deps, { credential, ...exchange }: Shown) {
  const caller = personOf(exchange.request.caller);
  const bound = { purpose: 'resume', sessionId: caller.session.id, actHash: null } as const;
  return deps.db.transaction(async (tx) => {
    const checked = await checkPasskey(deps, tx, { credential, bound, staffId: caller.id });
    return checked.ok ? resumeSession(deps, tx, { ...exchange, person: checked.value.person }) : checked;
  });
}
