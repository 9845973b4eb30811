import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { addNote } from '../notes/add-note.ts';
import { findOfficeInvoice, type InvoiceNumbers } from './invoice-page.queries.ts';

export async function noteInvoice(
  tx: Queryable,
  { by, text, ...numbers }: InvoiceNumbers & { by: OfficeCaller; text: string },
) {
  const invoice = await findOfficeInvoice(tx, { ...numbers, actorId: by.id });
  if (!invoice) return fail('invoice-not-found');
  const { franchiseId, workOrderNumber } = numbers;
  return ok(
    await addNote(tx, {
      by,
      franchiseId,
      subject: 'invoice',
      subjectId: String(invoice.id),
      named: `invoice ${franchiseId}/${workOrderNumber}`,
      text,
    }),
  );
}
