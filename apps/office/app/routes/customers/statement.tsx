import type { CustomerStatement } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { StatementScreen } from '../../features/customers/statement-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/statement.ts';

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url);
  const query = { from: searchParams.get('from'), to: searchParams.get('to') };
  return loadData<CustomerStatement>(OFFICE_ENDPOINTS.statement, { params, query });
}

export default function Statement({ loaderData: statement }: Route.ComponentProps) {
  return <StatementScreen statement={statement} />;
}
