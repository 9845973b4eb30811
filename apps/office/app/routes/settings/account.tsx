import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { AccountScreen } from '../../features/account/account-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/account.ts';

export async function clientLoader() {
  return loadData<Account>(OFFICE_ENDPOINTS.account);
}

export default function AccountPage({ loaderData: account }: Route.ComponentProps) {
  return <AccountScreen account={account} />;
}
