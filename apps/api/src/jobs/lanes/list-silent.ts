import type { Queryable } from '../../db/client.ts';
import { isMailServerSilent } from '../../mail/mail-server.queries.ts';
import { listSilentAccounts } from '../../modules/payments/sweep/leases.queries.ts';

/** Names the services that background work depends on and that don't answer. */
export async function listSilent(db: Queryable): Promise<string[]> {
  const accounts = await listSilentAccounts(db);
  return [
    ...((await isMailServerSilent(db)) ? ['mail server'] : []),
    ...accounts.map((accountId) => `merchant account ${accountId}`),
  ];
}
