import type { Queryable } from '../../db/client.ts';
import { isMailServerSilent } from '../../mail/mail-server.queries.ts';
import { listSilentAccounts } from '../../modules/payments/sweep/leases.queries.ts';

/** Names the services that this deployment's background work depends on and that don't answer. */
export async function listSilent(db: Queryable, place: { publicUrl: string }): Promise<string[]> {
  const accounts = await listSilentAccounts(db, place);
  return [
    ...((await isMailServerSilent(db)) ? ['mail server'] : []),
    ...accounts.map((accountId) => `merchant account ${accountId}`),
  ];
}
