import type { CheckedImport, ImportFranchise } from '@brightpane/contract/office/imports';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { FileDigest } from '../../rows/import-body.ts';
import type { ImportFaults } from '../../rows/import-faults.ts';
import type { Overpaid } from '../import.queries.ts';
import type { PlannedChange, PlannedFranchise } from './check.queries.ts';
import { presentChanges } from './present-row.ts';

type Plan = { franchises: PlannedFranchise[]; overpaid: Overpaid[]; changes: PlannedChange[] };

const NOTHING: Plan = { franchises: [], overpaid: [], changes: [] };

/** A check's answer, in dollars. */
export function presentCheck(check: {
  importId: string;
  digest: FileDigest;
  rows: number;
  faults: ImportFaults;
  plan?: Plan;
}): CheckedImport {
  const { importId, digest, rows, faults, plan = NOTHING } = check;
  const sum = (count: 'created' | 'updated' | 'unchanged') =>
    plan.franchises.reduce((total, franchise) => total + franchise[count], 0);
  return {
    importId,
    sha256: digest.sha256,
    rows,
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    overpaid: plan.overpaid.map(presentOverpaid),
    franchises: plan.franchises.map(presentFranchise),
    faultCount: faults.count,
    faults: faults.named,
    changes: plan.changes
      .map(({ line, kind, before, after }) => ({
        line,
        kind,
        franchiseId: after.franchise_id,
        workOrderNumber: after.work_order_number,
        fields: presentChanges(before, after),
      }))
      .filter((change) => change.line !== null || change.fields.length > 0),
  };
}

export const presentOverpaid = ({ overpaidCents, franchiseId, workOrderNumber }: Overpaid) => ({
  franchiseId,
  workOrderNumber,
  amount: toDollars(cents(overpaidCents)),
});

export function presentFranchise(franchise: PlannedFranchise): ImportFranchise {
  const { franchiseId, created, updated, unchanged, before, after } = franchise;
  return {
    franchiseId,
    name: after.name,
    created,
    updated,
    unchanged,
    amountBefore: toDollars(cents(franchise.beforeCents)),
    amountAfter: toDollars(cents(franchise.afterCents)),
    nameChange: changeOf(before.name, after.name),
    zoneChange: changeOf(before.timeZone, after.timeZone),
  };
}

/** A new franchise counts as no change. */
const changeOf = (before: string | null, after: string) =>
  before === null || before === after ? null : { before, after };
