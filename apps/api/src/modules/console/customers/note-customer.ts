import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { findCustomer } from '../../invitations/invitations.queries.ts';
import { addNote } from '../notes/add-note.ts';
import type { CustomerNumbers } from './customer-page.queries.ts';

export async function noteCustomer(
  tx: Queryable,
  { by, text, ...numbers }: CustomerNumbers & { by: OfficeCaller; text: string },
) {
  const customer = await findCustomer(tx, { ...numbers, actorId: by.id });
  if (!customer) return fail('customer-not-found');
  const { franchiseId, customerNumber } = numbers;
  return ok(
    await addNote(tx, {
      by,
      franchiseId,
      subject: 'customer',
      subjectId: String(customer.id),
      named: `customer ${franchiseId}/${customerNumber}`,
      text,
    }),
  );
}
