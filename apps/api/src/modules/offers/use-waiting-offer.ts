import type { Deps } from '../../deps.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { hasWaitingOffer, takeWaitingOffer } from '../auth/users/waiting-offers.queries.ts';
import { adoptPayment } from './adopt-payment.ts';

/**
 * After a sign-in, adopts the payment for which the account was made. Safe because signing in proves the password, and
 * an offer waits only for the password that was set with it.
 */
export async function useWaitingOffer(deps: Deps, userId: string): Promise<void> {
  if (!(await hasWaitingOffer(deps.db.query, userId))) return;
  await deps.db.transaction(async (tx) => {
    const user = await lockUserById(tx, userId);
    const waiting = await takeWaitingOffer(tx, userId);
    if (!user?.active || !waiting || waiting.isOver) return;
    const { intentId, locationId, zipKey } = waiting;
    const offer = { intentId, locationId, isOfZip: (present: string | null) => present === zipKey };
    await adoptPayment(deps, tx, { user, through: 'page', offer, mayBeOver: true });
  });
}
