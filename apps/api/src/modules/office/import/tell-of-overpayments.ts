import { cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../db/client.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { overpaidMail } from '../../../mail/templates/overpaid.ts';
import { findOfficeEmails, type Overpaid } from './import.queries.ts';

/** Queues one mail per franchise with an address, naming its overpaid invoices. */
export async function tellOfOverpayments(
  tx: Queryable,
  { overpaid }: { overpaid: Overpaid[] },
): Promise<void> {
  if (overpaid.length === 0) return;
  const ofFranchise = Map.groupBy(overpaid, ({ franchiseId }) => franchiseId);
  for (const { franchiseId, name, email } of await findOfficeEmails(tx, [...ofFranchise.keys()])) {
    const overpayments = (ofFranchise.get(franchiseId) ?? []).map(({ workOrderNumber, overpaidCents }) => ({
      workOrderNumber,
      overpaidCents: cents(overpaidCents),
    }));
    await queueMail(tx, {
      kind: 'overpaid',
      recipient: email,
      content: overpaidMail({ franchiseName: name, overpayments }),
    });
  }
}
