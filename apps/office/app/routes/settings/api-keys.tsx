import type { ApiKeys } from '@brightpane/contract/office/staff';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { ApiKeysScreen } from '../../features/api-keys/api-keys-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/api-keys.ts';

export async function clientLoader() {
  return loadData<ApiKeys>(OFFICE_ENDPOINTS.apiKeys);
}

export default function ApiKeysPage({ loaderData: { items } }: Route.ComponentProps) {
  return <ApiKeysScreen apiKeys={items} />;
}
