import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';
import { locationLinked } from '../../mail/templates/location-linked.ts';
import type { UserRow } from '../auth/users/users.queries.ts';
import type { InvoiceRow } from '../invoices/invoices.queries.ts';
import { insertUserLocation, isLocationVisible } from './locations.queries.ts';

export type InvoiceAtLocation = Pick<
  InvoiceRow,
  'locationId' | 'documentId' | 'addressLine1' | 'city' | 'state' | 'franchiseName'
>;

/**
 * Links an invoice's location to the user, whose account the caller's transaction has locked, and notifies its owner by mail.
 * Idempotent: repeating it sends no second mail.
 */
export async function linkInside(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  { user, invoice }: { user: Pick<UserRow, 'id' | 'email'>; invoice: InvoiceAtLocation },
): Promise<void> {
  const { locationId, documentId, addressLine1, city, state, franchiseName } = invoice;
  const userId = user.id;
  if (await isLocationVisible(tx, { userId, locationId })) return;
  if (!(await insertUserLocation(tx, { userId, documentId }))) return;
  await queueMail(tx, {
    kind: 'location-linked',
    recipient: user.email,
    content: locationLinked({
      address: [addressLine1, city, state].filter(Boolean).join(', '),
      franchiseName,
      portalUrl: `${deps.env.PUBLIC_URL}/invoices`,
    }),
  });
}
