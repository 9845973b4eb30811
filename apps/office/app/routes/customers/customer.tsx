import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { CustomerScreen } from '../../features/customers/customer-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/customer.ts';

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return loadData<OfficeCustomer>(OFFICE_ENDPOINTS.customer, { params });
}

export default function Customer({ loaderData: customer }: Route.ComponentProps) {
  return <CustomerScreen customer={customer} />;
}
