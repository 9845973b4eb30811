import type { ThreeNumbers } from '@brightpane/contract/invoices';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';
import { locationLinked } from '../../mail/templates/location-linked.ts';
import { findUser } from '../auth/find-user.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import type { InvoiceRow } from '../invoices/invoices.queries.ts';
import { lookUpGuards } from '../invoices/look-up-limits.ts';
import { cap } from '../limits/limit.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { insertUserLocation, isLocationVisible } from './locations.queries.ts';

const HOUR_SECONDS = 3600;
/** Somebody who guesses here would gain lasting access, so less is allowed than for a guest's look-up alone. */
const MISSES_AN_HOUR = cap('link-location-hour', { max: 5, windowSeconds: HOUR_SECONDS });
const MISSES_A_DAY = cap('link-location-day', { max: 20, windowSeconds: 24 * HOUR_SECONDS });

/** Makes a location the user's by the three numbers of one of its invoices, and tells the account's owner by mail. */
export async function linkLocation(
  deps: Deps,
  { userId, ip, numbers }: { userId: string; ip: string; numbers: ThreeNumbers },
) {
  const found = await limitMisses(
    deps,
    {
      guards: [
        ...lookUpGuards({ ip, ...numbers }),
        { limit: MISSES_AN_HOUR, of: [userId] },
        { limit: MISSES_A_DAY, of: [userId] },
      ],
      isMiss: (outcome) => !outcome.ok,
    },
    () => findPresentInvoice(deps, numbers),
  );
  if (!found.ok) return found;
  await link(deps, { userId, invoice: found.value });
  return ok(undefined);
}

/** The bill of a customer who had the location before opens nothing of whoever has it now. */
async function findPresentInvoice(deps: Deps, numbers: ThreeNumbers) {
  const found = await findInvoice(deps, numbers);
  return found.ok && found.value.formerCustomerId !== null ? fail('not-found') : found;
}

/** A location that is the user's already stays as it is, so a repeat sends no second mail. */
async function link(deps: Deps, { userId, invoice }: { userId: string; invoice: InvoiceRow }): Promise<void> {
  const at = { userId, locationId: invoice.locationId };
  if (await isLocationVisible(deps.db.query, at)) return;
  const { email } = await findUser(deps, { userId });
  await deps.db.transaction(async (tx) => {
    if (!(await insertUserLocation(tx, { userId, documentId: invoice.documentId }))) return;
    await queueMail(tx, {
      kind: 'location-linked',
      recipient: email,
      content: locationLinked({
        address: [invoice.addressLine1, invoice.city, invoice.state].filter(Boolean).join(', '),
        franchiseName: invoice.franchiseName,
        portalUrl: `${deps.env.PUBLIC_URL}/invoices`,
      }),
    });
  });
}
