import { cents, formatDollars } from '@brightpane/money/cents';
import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { markDifferenceAcknowledged } from './differences.queries.ts';

/** A person notes what came of a difference. False if it isn't open. */
export function acknowledgeDifference(
  { db }: Pick<Deps, 'db'>,
  { differenceId, note, actor }: { differenceId: number; note: string; actor: Actor },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const difference = await markDifferenceAcknowledged(tx, { differenceId, by: actor.name, note });
    if (!difference) return false;
    const { amountCents, ...facts } = difference;
    await recordAct(tx, actor, {
      action: 'acknowledge difference',
      subject: `difference ${differenceId}`,
      before: { ...facts, amount: formatDollars(cents(amountCents)) },
      reason: note,
    });
    return true;
  });
}
