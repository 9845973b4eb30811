import { cents, formatDollars } from '@brightpane/money/cents';
import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isDifferenceOpen, markDifferenceAcknowledged } from './differences.queries.ts';

/** What came of it. `edited-meanwhile`: it is no longer what the person looked at. */
export type Acknowledged = 'done' | 'not-found' | 'edited-meanwhile';

/** A person notes what came of a difference. */
export function acknowledgeDifference(
  { db }: Pick<Deps, 'db'>,
  {
    differenceId,
    version,
    note,
    actor,
  }: {
    differenceId: number;
    /** The version that was looked at; without one, whatever stands there. */
    version?: number | undefined;
    note: string;
    actor: Actor;
  },
): Promise<Acknowledged> {
  return db.transaction(async (tx) => {
    const difference = await markDifferenceAcknowledged(tx, { differenceId, version, by: actor.name, note });
    if (!difference) return (await isDifferenceOpen(tx, differenceId)) ? 'edited-meanwhile' : 'not-found';
    const { amountCents, ...facts } = difference;
    await recordAct(tx, actor, {
      action: 'acknowledge difference',
      subject: `difference ${differenceId}`,
      before: { ...facts, amount: formatDollars(cents(amountCents)) },
      reason: note,
    });
    return 'done';
  });
}
