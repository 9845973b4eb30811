import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { findApp, takeStep } from './factors.queries.ts';
import { findStep } from './totp.ts';
import { totpPlace } from './totp-place.ts';

/** Checks that the person's app shows this code now and that it is unused, and spends it. */
export async function checkAppCode(
  deps: Pick<Deps, 'hostClock' | 'secretBox'>,
  db: Queryable,
  { staffId, code }: { staffId: string; code: string },
) {
  const app = await findApp(db, staffId);
  if (!app?.totpSecret) return fail('code-wrong');
  const secret = Buffer.from(deps.secretBox.open(app.totpSecret, totpPlace(app.id)), 'base64');
  const step = findStep(secret, { code, time: deps.hostClock() });
  if (step === null) return fail('code-wrong');
  if (!(await takeStep(db, { factorId: app.id, step }))) return fail('code-used');
  return ok({ factorId: app.id });
}
