import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { refuseRepeat } from '../../acts/answer-once.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { countFirst } from '../count-first.ts';
import { tellPerson } from '../people/tell-staff.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { sessionCodeGuard } from '../staff-limits.ts';
import { factorAdded } from './factor-added.ts';
import { confirmApp, findUnconfirmedApp, lockFactors, removeFactors } from './factors.queries.ts';
import { findStep } from './totp.ts';
import { totpPlace } from './totp-place.ts';

/** Confirms a new app by a code, and replaces an older app: a person has one. */
export async function confirmNewApp(
  deps: Deps,
  { factorId, code, name, ...exchange }: Exchange & { factorId: string; code: string; name: string },
) {
  const caller = personOf(exchange.request.caller);
  return countFirst(deps, [sessionCodeGuard(caller.session.id)], () =>
    allOrNothing(deps.db, async (tx) => {
      await refuseRepeat(tx, exchange.request);
      const factors = await lockFactors(tx, caller.id);
      const app = await findUnconfirmedApp(tx, { staffId: caller.id, factorId });
      if (!app?.totpSecret) return fail('not-found');
      const secret = Buffer.from(deps.secretBox.open(app.totpSecret, totpPlace(app.id)), 'base64');
      const step = findStep(secret, { code, time: deps.hostClock() });
      if (step === null) return fail('code-wrong');
      if (caller.session.level === 'full') await spendStepUp(tx, exchange.request);
      const older = factors.find(({ kind }) => kind === 'totp');
      if (older) {
        await removeFactors(tx, { staffId: caller.id, factorId: older.id });
        await tellPerson(tx, { email: caller.name, news: 'factor-removed' });
      }
      await confirmApp(tx, { factorId, name, step });
      const added = await factorAdded(deps, tx, {
        ...exchange,
        factorId,
        name,
        factors,
        method: 'totp',
        replaced: older,
      });
      return added.ok ? ok(added.value) : added;
    }),
  );
}
