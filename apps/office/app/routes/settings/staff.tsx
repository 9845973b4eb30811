import type { StaffList } from '@brightpane/contract/office/staff';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { StaffScreen } from '../../features/staff/staff-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/staff.ts';

export async function clientLoader() {
  return loadData<StaffList>(OFFICE_ENDPOINTS.staff);
}

export default function StaffPage({ loaderData: { items } }: Route.ComponentProps) {
  return <StaffScreen staff={items} />;
}
