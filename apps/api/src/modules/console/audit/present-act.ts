import type { AuditItem } from '@brightpane/contract/office/audit';
import type { AuditRow } from './audit.queries.ts';
import { whoIs } from './audit-actors.queries.ts';
import { presentDetail } from './present-detail.ts';

/** Subjects with a page of their own in the console. */
const PAGES: readonly [RegExp, (...ids: string[]) => string][] = [
  [/^franchise (\d+)$/, (id) => `/settings/franchise?franchiseId=${id}`],
  [/^payment ([0-9a-f-]{36})$/, (id) => `/payments/${id}`],
  [/^refund ([0-9a-f-]{36})$/, (id) => `/refunds/${id}`],
  [/^invoice (\d+)\/(\d+)$/, (franchise, workOrder) => `/invoices/${franchise}/${workOrder}`],
  [/^customer (\d+)\/(\d+)$/, (franchise, number) => `/customers/${franchise}/${number}`],
  [/^difference \d+$/, () => '/review'],
];

export function presentAct({ actor, day, isEnd, ...row }: AuditRow): AuditItem {
  return {
    id: row.id,
    at: row.at,
    timeZone: row.timeZone,
    who: whoIs(actor),
    action: row.action,
    subject: row.subject,
    href: pageOf(row.subject),
    franchiseId: row.franchiseId,
    before: row.before,
    after: row.after,
    reason: row.reason,
    detail: presentDetail({ ...row, actor }),
    requestId: row.requestId,
  };
}

function pageOf(subject: string): string | null {
  for (const [pattern, page] of PAGES) {
    const [, ...ids] = pattern.exec(subject) ?? [];
    if (ids.length > 0 || pattern.test(subject)) return page(...ids);
  }
  return null;
}
