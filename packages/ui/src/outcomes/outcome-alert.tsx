import type { ActionResult } from './action-result.ts';
import { Alert } from './alert.tsx';

/** What became of the last submission, if it has words. */
export function OutcomeAlert({ result }: { result: ActionResult | undefined }) {
  if (!result?.message) return null;
  return (
    <Alert tone={result.success ? 'success' : 'danger'} of={result}>
      {result.message}
    </Alert>
  );
}
