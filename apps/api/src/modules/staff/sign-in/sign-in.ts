import { isIP } from 'node:net';
import type { SignInStarted } from '@brightpane/contract/office/sessions';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { countFailedSignIn } from '../../auth/passwords/guessing-limits.ts';
import { tellFailedSignIn } from '../../auth/passwords/tell-failed-sign-in.ts';
import { guardsOfSignIn, verifyPasswordOf } from '../../auth/passwords/verify-password-of.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { countRecoveryCodes, type FactorRow, listFactors } from '../factors/factors.queries.ts';
import { sendStaffLink } from '../people/send-staff-link.ts';
import { findStaffByUser, type StaffRow } from '../people/staff.queries.ts';
import { type Exchange, startOfficeSession } from '../sessions/start-office-session.ts';

/**
 * Takes an email and a password, and tells which second factor is needed. Refuses wrong and unknown ones, customers and
 * people who haven't enrolled alike; other reasons are told only to somebody who knows the password.
 */
export async function signInToOffice(
  deps: Deps,
  { email: given, password, ...exchange }: Exchange & { email: string; password: string },
) {
  const began = performance.now();
  const email = emailKey(given);
  const guards = await guardsOfSignIn(deps, { email, ip: exchange.request.ip });
  const verified = await verifyPasswordOf(deps, { guards, email, password });
  if (!verified.ok) {
    if (verified.code === 'wrong') deps.log.info('sign-in failed');
    return tellFailedSignIn(deps, { guards, failed: verified, began });
  }
  const { user, counted } = verified.value;
  const person = await findStaffByUser(deps.db.query, user.id);
  if (!person) {
    // A customer's password counts as a wrong one here.
    const failed = await countFailedSignIn(deps, guards);
    return tellFailedSignIn(deps, { guards, failed, began });
  }
  if (person.state === 'off') return fail('switched-off');
  if (person.heldAt !== null) return fail('access-held');
  if (counted.includes(guards.own)) await clearLimits(deps, [guards.own]);
  return askForFactor(deps, { person, passwordHash: user.passwordHash, ...exchange });
}

async function askForFactor(
  deps: Deps,
  { person, passwordHash, ...exchange }: Exchange & { person: StaffRow; passwordHash: string },
) {
  const factors = await listFactors(deps.db.query, person.id);
  if (factors.length === 0) {
    // Enrolling needs both the password and the mailbox.
    await deps.db.transaction((tx) => sendStaffLink(deps, tx, { email: person.email }));
    return ok<SignInStarted>({ next: 'enrol', methods: [] });
  }
  const started = await deps.db.transaction(async (tx) => {
    const session = await startOfficeSession(deps, tx, {
      ...exchange,
      staffId: person.id,
      level: 'password',
      method: 'password',
      passwordHash,
    });
    if (!session) return null;
    await recordAct(
      tx,
      { id: person.id, name: person.email },
      { action: 'show-password', subject: `staff ${person.id}` },
    );
    return session;
  });
  if (!started) return fail('wrong');
  const codes = await countRecoveryCodes(deps.db.query, person.id);
  return ok<SignInStarted>(offered(deps, { factors, codes }));
}

function offered({ env }: Pick<Deps, 'env'>, { factors, codes }: { factors: FactorRow[]; codes: number }) {
  const has = (kind: FactorRow['kind']) => factors.some((factor) => factor.kind === kind);
  const hasPasskey = has('passkey') && arePasskeysOffered(env);
  const methods: SignInStarted['methods'] = [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(has('totp') ? (['totp'] as const) : []),
    ...(codes > 0 ? (['recovery'] as const) : []),
  ];
  return { next: hasPasskey ? ('passkey' as const) : ('totp' as const), methods };
}

/** Browsers create no passkeys on a numeric address. */
function arePasskeysOffered({ OFFICE_URL }: Pick<Deps['env'], 'OFFICE_URL'>): boolean {
  return isIP(new URL(OFFICE_URL).hostname.replace(/^\[|\]$/g, '')) === 0;
}
