import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { refusalWords } from '../../lib/refusal.ts';

/** `lines.0.amount` → `amount`. Errors of tip and services belong to the amount field here. */
function nameOf(field: string, names: Record<string, string>): string {
  const last = field.split('.').at(-1) ?? field;
  return names[last] ?? last;
}

/** A form's outcome for a refused refund. A 503 about refunds says more than that the portal is busy. */
export function refusedRefund(problem: RefusedCall, names: Record<string, string> = {}): ActionResult {
  const isExplained = problem.status === 503 && problem.errors.length > 0 && problem.detail !== '';
  const fields = problem.errors.flatMap(({ field }) => (field === undefined ? [] : [field]));
  return {
    success: false,
    message: isExplained ? problem.detail : refusalWords(problem),
    fieldErrors: fieldErrors(
      problem,
      Object.fromEntries(fields.map((field) => [field, nameOf(field, names)])),
    ),
  };
}
