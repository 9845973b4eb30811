import type { ActionResult } from './action-result.ts';
import { Alert } from './alert.tsx';

/** The last submission's outcome, if it has a message. */
export function OutcomeAlert({ result }: { result: ActionResult | undefined }) {
  if (!result?.message) return null;
  return (
    <Alert tone={result.success ? 'success' : 'danger'} of={result}>
      {result.message}
    </Alert>
  );
}
