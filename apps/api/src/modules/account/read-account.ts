import type { Account } from '@brightpane/contract/customers/account';
import type { Deps } from '../../deps.ts';
import { findUserById } from '../auth/users/users.queries.ts';
import { findPendingEmail, findUndoableChange } from './email-change/email-change.queries.ts';

/** What a signed-in payer sees about their account. */
export async function readAccount({ db }: Pick<Deps, 'db'>, userId: string): Promise<Account> {
  const user = await findUserById(db.query, userId);
  if (!user) throw new Error('a bearer token speaks for a user that does not exist');
  const [pendingEmail, changed] = await Promise.all([
    findPendingEmail(db.query, userId),
    findUndoableChange(db.query, userId),
  ]);
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    createdAt: user.createdAt.toISOString(),
    pendingEmail: pendingEmail ?? null,
    undoUntil: changed?.undoUntil.toISOString() ?? null,
    previousEmail: changed?.oldEmail ?? null,
  };
}
