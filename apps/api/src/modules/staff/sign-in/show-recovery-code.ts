import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail } from '../../../http/result.ts';
import { mailTokenGuards } from '../../auth/passwords/guessing-limits.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { hasRecoveryCode, spendRecoveryCode } from '../factors/factors.queries.ts';
import { readRecoveryCode } from '../factors/recovery-codes.ts';
import { lockStaff } from '../people/staff.queries.ts';
import { tellPerson } from '../people/tell-staff.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { finishSignIn } from './finish-sign-in.ts';

/**
 * Signs in with a recovery code, after the password, and spends it. A right code of 80 bits works whatever wrong ones
 * its address has counted.
 */
export async function showRecoveryCode(
  deps: Deps,
  { staffId, code, ...exchange }: Exchange & { staffId: string; code: string },
) {
  const given = { staffId, codeHash: readRecoveryCode(code) };
  const show = () =>
    deps.db.transaction(async (tx) => {
      const person = await lockStaff(tx, staffId);
      if (!person) return fail('sign-in-expired');
      const { email } = person;
      if (await spendRecoveryCode(tx, given)) {
        await tellPerson(tx, { email, news: 'recovery-code-used' });
        return finishSignIn(deps, tx, { ...exchange, person, method: 'recovery' });
      }
      await recordAct(
        tx,
        { id: staffId, name: email },
        { action: 'refuse-factor', subject: `staff ${staffId}`, detail: { method: 'recovery' } },
      );
      return fail('recovery-code-wrong');
    });
  return limitMisses(
    deps,
    {
      guards: mailTokenGuards(exchange.request.ip),
      isMiss: (outcome) => !outcome.ok && outcome.code === 'recovery-code-wrong',
      hit: async () => ((await hasRecoveryCode(deps.db.query, given)) ? show() : undefined),
    },
    show,
  );
}
