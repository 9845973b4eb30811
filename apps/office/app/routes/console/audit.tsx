import { AUDIT_CALL, type AuditEntry } from '../../features/audit/audit-entry.ts';
import { AUDIT_FILTERS, AuditScreen } from '../../features/audit/audit-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/audit.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { load: startList<AuditEntry>(AUDIT_CALL, request, AUDIT_FILTERS) };
}

export default function AuditPage({ loaderData: { load } }: Route.ComponentProps) {
  return <AuditScreen load={load} />;
}
