import type { Problem } from '@brightpane/contract/problem';
import type { FieldErrors } from '../outcomes/action-result.ts';

/** The server's errors by field, under the form's names for the fields. */
export function fieldErrors(
  problem: Pick<Problem, 'errors'>,
  formNames: Record<string, string> = {},
): FieldErrors {
  const errors: FieldErrors = {};
  for (const { field, description } of problem.errors) {
    if (field === undefined) continue;
    const name = formNames[field] ?? field;
    errors[name] = [...(errors[name] ?? []), description];
  }
  return errors;
}
