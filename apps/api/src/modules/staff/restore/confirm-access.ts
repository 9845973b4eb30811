import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { tellAdmins } from '../people/tell-staff.ts';
import { letIn, letKeysIn } from './held.queries.ts';

export type WhoIsConfirmed = { all: true } | { email: string } | { key: string };

/** Confirms, after a restore, that these people and keys are still what the database says. */
export function confirmAccess(
  { db }: Pick<Deps, 'db'>,
  { caller, who }: { caller: OfficeCaller; who: WhoIsConfirmed },
) {
  return db.transaction(async (tx) => {
    const people = 'key' in who ? 0 : await letIn(tx, 'email' in who ? emailKey(who.email) : null);
    const keys = 'email' in who ? 0 : await letKeysIn(tx, 'key' in who ? who.key : null);
    const named = 'all' in who ? 'everybody' : 'email' in who ? emailKey(who.email) : `key ${who.key}`;
    if (people + keys > 0) {
      await tellAdmins(tx, { email: named, news: 'confirmed-by-key' });
      await recordAct(tx, caller, {
        action: 'confirm-access',
        subject: 'staff',
        detail: { named, people, keys },
      });
    }
    return { staff: people, keys };
  });
}
