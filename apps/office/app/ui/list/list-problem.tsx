import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useRevalidator } from 'react-router';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';

/** Why a list failed to load, and **Try again**. */
export function ListProblem({ problem }: { problem: RefusedCall }) {
  const { revalidate } = useRevalidator();
  return (
    <Alert tone="danger" of={problem}>
      <p>{refusalWords(problem, NOT_HEARD_READING)}</p>
      <button type="button" className="btn btn-outline" onClick={() => void revalidate()}>
        Try again
      </button>
    </Alert>
  );
}
