import type { Problem } from '@brightpane/contract/problem';
import { reportRefusal } from '@brightpane/ui/reporting/telemetry';
import { OPERATION_NAMES, type Operation } from './operation-names.ts';

/** A call that ended in a way nobody had planned for. */
export function reportError(operation: Operation, problem: Problem): void {
  reportRefusal(OPERATION_NAMES[operation], problem);
}
