import { franchiseNames } from './franchise-names.ts';
import { useMe } from './use-me.ts';

type WorkOrder = { franchiseId: number; workOrderNumber: number };
export type WorkOrderNames = (workOrder: WorkOrder) => string;

/**
 * How a screen names each of these work orders: `1042`, or `1042 of Bright Harbor` where they are several offices'. Each
 * office counts its own, so that two may have the same number. `always`: nothing else beside them names their office.
 */
export function useWorkOrderNames(
  shown: Pick<WorkOrder, 'franchiseId'>[],
  { always = false } = {},
): WorkOrderNames {
  const nameOf = franchiseNames(useMe().franchises);
  const isOfSeveral = new Set(shown.map(({ franchiseId }) => franchiseId)).size > 1;
  return ({ franchiseId, workOrderNumber }) =>
    isOfSeveral || always ? `${workOrderNumber} of ${nameOf(franchiseId)}` : String(workOrderNumber);
}
