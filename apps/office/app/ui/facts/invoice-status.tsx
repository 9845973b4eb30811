import type { InvoiceStatus } from '@brightpane/contract/office/invoices';
import { Badge } from '@brightpane/ui/page/badge.tsx';

const WORDS = {
  pending: ['Pending', 'neutral'],
  due: ['Due', 'warning'],
  overdue: ['Overdue', 'danger'],
  paid: ['Paid', 'success'],
  upcoming: ['Upcoming', 'neutral'],
  overpaid: ['Overpaid', 'danger'],
  'nothing-due': ['Nothing due', 'neutral'],
} as const satisfies Record<InvoiceStatus, readonly [string, 'neutral' | 'warning' | 'danger' | 'success']>;

/** An invoice's status, in the payer's words and the office's own. */
export function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  const [words, tone] = WORDS[status];
  return <Badge tone={tone}>{words}</Badge>;
}
