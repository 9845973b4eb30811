import type { Me } from '@brightpane/contract/office/sessions';
import type { FranchiseSettingsPage } from '@brightpane/contract/office/settings';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { loadData } from '../../lib/load-data.ts';

/** Settings of the franchise in the URL, or of the only one; `null` if the person has to choose one first. */
export async function loadFranchise(request: Request): Promise<FranchiseSettingsPage | null> {
  const chosen = new URL(request.url).searchParams.get('franchiseId');
  const franchiseId = chosen ?? (await onlyFranchise());
  return franchiseId === null
    ? null
    : loadData<FranchiseSettingsPage>(OFFICE_ENDPOINTS.franchiseSettings, { params: { franchiseId } });
}

async function onlyFranchise(): Promise<string | null> {
  const { franchises } = await loadData<Me>(OFFICE_ENDPOINTS.me);
  return franchises.length === 1 ? String(franchises[0]?.franchiseId) : null;
}
