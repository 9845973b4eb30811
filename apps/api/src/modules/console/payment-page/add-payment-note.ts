import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { addNote } from '../notes/add-note.ts';
import { listPaidFranchises } from './payment-page.queries.ts';

/**
 * If several offices share the payment, a note by headquarters is for each of them; another's belongs to the first of
 * the caller's own.
 */
export async function addPaymentNote(
  tx: Queryable,
  { caller, paymentId, text }: { caller: OfficeCaller; paymentId: string; text: string },
) {
  const [first, ...others] = await listPaidFranchises(tx, { paymentId, actorId: caller.id });
  if (first === undefined) return fail('not-found');
  const noteId = await addNote(tx, {
    by: caller,
    franchiseId: caller.isForAll && others.length > 0 ? null : first,
    subject: 'payment',
    subjectId: paymentId,
    named: `payment ${paymentId}`,
    text,
  });
  return ok({ noteId });
}
