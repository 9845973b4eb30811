import type { Problem } from '@brightpane/contract/problem';
import { reportRefusal } from '@brightpane/ui/reporting/telemetry';
import { OPERATION_NAMES, type Operation } from './operation-names.ts';

/** Reports a call that failed unexpectedly. */
export function reportError(operation: Operation, problem: Problem): void {
  reportRefusal(OPERATION_NAMES[operation], problem);
}
