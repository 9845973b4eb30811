import type { AuditItem } from '@brightpane/contract/office/audit';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { AUDIT_FILTERS, AuditScreen } from '../../features/audit/audit-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/audit.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { load: startList<AuditItem>(OFFICE_ENDPOINTS.audit, request, AUDIT_FILTERS) };
}

export default function AuditPage({ loaderData: { load } }: Route.ComponentProps) {
  return <AuditScreen load={load} />;
}
