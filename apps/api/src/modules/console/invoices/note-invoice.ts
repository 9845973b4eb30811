import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { addNote } from '../notes/add-note.ts';
import { findInvoiceId, type InvoiceNumbers } from './invoice-page.queries.ts';

export async function noteInvoice(
  tx: Queryable,
  { by, text, ...numbers }: InvoiceNumbers & { by: OfficeCaller; text: string },
) {
  const invoiceId = await findInvoiceId(tx, { ...numbers, actorId: by.id });
  if (invoiceId === undefined) return fail('invoice-not-found');
  const { franchiseId, workOrderNumber } = numbers;
  return ok(
    await addNote(tx, {
      by,
      franchiseId,
      subject: 'invoice',
      subjectId: String(invoiceId),
      named: `invoice ${franchiseId}/${workOrderNumber}`,
      text,
    }),
  );
}
