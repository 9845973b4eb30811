import type { CustomerList, CustomerRow } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { CUSTOMER_FILTERS, CustomersScreen } from '../../features/customers/customers-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/list.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return {
    load: startList<CustomerRow, CustomerList>(OFFICE_ENDPOINTS.customers, request, CUSTOMER_FILTERS),
  };
}

export default function Customers({ loaderData }: Route.ComponentProps) {
  return <CustomersScreen load={loaderData.load} />;
}
