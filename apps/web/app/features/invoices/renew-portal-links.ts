import type { Invoice } from '@brightpane/contract/invoices/invoices';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { readData } from '../../lib/read-data.ts';
import type { DocumentLinks } from './fresh-links.ts';

/**
 * A signed-in person's fresh links: from the unpaid invoices, or from the shown location's history. `null`: neither
 * has the document.
 */
export async function renewPortalLinks(
  documentId: string,
  locationId: number | undefined,
): Promise<Answer<DocumentLinks> | null> {
  const unpaid = await readData<Invoice[]>('invoices');
  const due = linksIn(unpaid, documentId);
  if (due?.ok || locationId === undefined) return due;
  const paid = await readData<Invoice[]>('locationHistory', { params: { locationId } });
  return linksIn(paid, documentId) ?? due;
}

function linksIn(answer: Answer<Invoice[]>, documentId: string): Answer<DocumentLinks> | null {
  if (!answer.ok) return answer;
  const found = answer.data.find((each) => each.documentId === documentId);
  return found ? { ok: true, data: found } : null;
}
