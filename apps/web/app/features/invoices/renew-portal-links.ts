import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { callApi } from '../../lib/api-client.ts';
import type { DocumentLinks } from './fresh-links.ts';

/** A signed-in person's fresh links: from the unpaid invoices, or from the shown location's history. */
export async function renewPortalLinks(
  documentId: string,
  locationId: number | undefined,
): Promise<DocumentLinks | null> {
  const unpaid = await callApi<Invoice[]>('invoices');
  const found = unpaid.ok ? unpaid.data.find((each) => each.documentId === documentId) : undefined;
  if (found || locationId === undefined) return found ?? null;
  const paid = await callApi<Invoice[]>('locationHistory', { params: { locationId } });
  return (paid.ok && paid.data.find((each) => each.documentId === documentId)) || null;
}
