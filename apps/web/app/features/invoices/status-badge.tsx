import { Badge } from '@brightpane/ui/page/badge.tsx';
import type { InvoiceStatus } from './invoice-status.ts';

const TONES = { Pending: 'neutral', Due: 'warning', Overdue: 'danger' } as const;

export function StatusBadge({ status }: { status: InvoiceStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
