import type { CustomerStatement } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { StatementScreen } from '../../features/customers/statement-screen.tsx';
import { callOffice } from '../../lib/api-client.ts';
import type { Route } from './+types/statement.ts';

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url);
  const days = { from: searchParams.get('from') ?? '', to: searchParams.get('to') ?? '' };
  const answer = await callOffice<CustomerStatement>(OFFICE_ENDPOINTS.statement, { params, query: days });
  if (answer.ok) return { days, statement: answer.data, errors: {} };
  const { from, to } = fieldErrors(answer.problem);
  if (!from && !to) throw new LoadError('Unable to load a screen of the office', answer.problem);
  return { days, statement: null, errors: { ...(from && { from }), ...(to && { to }) } };
}

export default function Statement({ loaderData, params }: Route.ComponentProps) {
  const { franchiseId, customerNumber } = params;
  return <StatementScreen key={`${franchiseId}/${customerNumber}`} of={params} {...loaderData} />;
}
