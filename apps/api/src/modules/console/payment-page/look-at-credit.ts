import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { insertCreditLook } from '../../payments/engine/credits.queries.ts';
import { findCredit } from './credit-looks.queries.ts';

/** Notes that somebody looked at a credit. Idempotent. */
export async function lookAtCredit(
  tx: Queryable,
  {
    caller,
    note = null,
    ...named
  }: {
    caller: OfficeCaller;
    franchiseId: number;
    chargeId: string;
    workOrderNumber: number;
    note?: string | null | undefined;
  },
) {
  const { franchiseId, chargeId, workOrderNumber } = named;
  const credit = await findCredit(tx, { ...named, actorId: caller.id });
  if (!credit) return fail('not-found');
  const { invoiceId } = credit;
  if (await insertCreditLook(tx, { chargeId, invoiceId, actorId: caller.id, note })) {
    await recordAct(tx, caller, {
      action: 'look-at-credit',
      subject: `credit ${franchiseId}/${chargeId}/${workOrderNumber}`,
      franchiseId,
      ...(note !== null && { reason: note }),
    });
  }
  return ok(null);
}
