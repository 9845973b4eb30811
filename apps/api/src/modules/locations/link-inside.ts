import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';
import { locationLinked } from '../../mail/templates/location-linked.ts';
import type { InvoiceRow } from '../invoices/invoices.queries.ts';
import { insertUserLocation, isLocationVisible } from './locations.queries.ts';

export type InvoiceAtLocation = Pick<
  InvoiceRow,
  'locationId' | 'documentId' | 'addressLine1' | 'city' | 'state' | 'franchiseName'
>;

/**
 * Links an invoice's location to the user in the caller's transaction, and notifies the account's owner by mail.
 * Idempotent: repeating it sends no second mail.
 */
export async function linkInside(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  { userId, email, invoice }: { userId: string; email: string; invoice: InvoiceAtLocation },
): Promise<void> {
  const { locationId, documentId, addressLine1, city, state, franchiseName } = invoice;
  if (await isLocationVisible(tx, { userId, locationId })) return;
  if (!(await insertUserLocation(tx, { userId, documentId }))) return;
  await queueMail(tx, {
    kind: 'location-linked',
    recipient: email,
    content: locationLinked({
      address: [addressLine1, city, state].filter(Boolean).join(', '),
      franchiseName,
      portalUrl: `${deps.env.PUBLIC_URL}/invoices`,
    }),
  });
}
