import type { AuditFilters } from '@brightpane/contract/office/audit';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { zonedInstant } from '../../../franchise-day.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { CsvValue } from '../lists/csv.ts';
import { exportName } from '../lists/export-name.ts';
import { openExport } from '../lists/open-export.ts';
import { recordExport } from '../lists/record-export.ts';
import { listVisibleOffices } from '../lists/visible-offices.queries.ts';
import { type AuditRow, exportedActs } from './audit.queries.ts';
import { presentDetail } from './present-detail.ts';

const COLUMNS = [
  'time',
  'day',
  'zone',
  'franchise',
  'who',
  'what',
  'subject',
  'before',
  'after',
  'reason',
  'request id',
  'detail',
];

/** Exports the listed acts as a file. */
export async function exportAudit(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  {
    reader,
    filters,
    confirm,
  }: {
    reader: OfficeCaller;
    filters: AuditFilters;
    /** Spends the second factor that the export needs. */
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  const { franchiseId, from, to } = filters;
  const offices = await listVisibleOffices(deps.db.query, { actorId: reader.id, franchiseId });
  const name = exportName('audit', { offices, franchiseId, from, to });
  const stream = await openExport<AuditRow>(deps, {
    caller: reader,
    statement: exportedActs({ reader, filters }),
    columns: COLUMNS,
    present: presentLine,
    record: recordExport(reader, { action: 'export-audit', name, offices, filters, confirm }),
  });
  return { name, stream };
}

function presentLine(act: AuditRow): CsvValue[] {
  const { at, day, timeZone, franchiseId, actor, action, subject, before, after, reason, requestId } = act;
  const detail = presentDetail(act);
  return [
    zonedInstant(at, timeZone),
    day,
    timeZone,
    franchiseId,
    actor,
    action,
    subject,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    reason,
    requestId,
    detail && JSON.stringify(detail),
  ];
}
