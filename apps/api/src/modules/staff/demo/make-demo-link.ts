import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { createMailLink } from '../../auth/mailbox/mail-tokens.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { findStaffByEmail } from '../people/staff.queries.ts';
import { letIn } from '../restore/held.queries.ts';
import { makeDemoPerson } from './make-demo-person.ts';

/** Makes a one-time link that signs in one of the demo's people. */
export async function makeDemoLink(deps: Deps, { email, by }: { email: string; by: Actor }) {
  return deps.db.transaction(async (tx) => {
    const person =
      (await findStaffByEmail(tx, emailKey(email))) ?? (await makeDemoPerson(tx, emailKey(email)));
    if (person?.state !== 'active') return fail('not-found');
    // After a restart, Postgres may count as restored, which holds all staff; a demo has nobody to confirm them.
    await letIn(tx, person.email);
    const link = new URL(await createMailLink(deps, tx, { purpose: 'demo', email: person.email }));
    // The token alone identifies the person.
    link.searchParams.delete('e');
    await recordAct(tx, by, { action: 'make-demo-link', subject: `staff ${person.id}` });
    return ok(link.href);
  });
}
