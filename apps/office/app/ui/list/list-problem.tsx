import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Link, useRevalidator, useSearchParams } from 'react-router';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';
import { CURSOR, firstPage } from './list-place.ts';

/** Why a list failed to load, and **Try again**; from a place that doesn't exist, the way to the first page. */
export function ListProblem({ problem }: { problem: RefusedCall }) {
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  const isPlaceFault = fieldErrors(problem)[CURSOR] !== undefined;
  return (
    <Alert tone="danger" of={problem}>
      <p>{refusalWords(problem, NOT_HEARD_READING)}</p>
      {isPlaceFault ? (
        <Link className="btn btn-outline" to={{ search: firstPage(search).toString() }}>
          First page
        </Link>
      ) : (
        <button type="button" className="btn btn-outline" onClick={() => void revalidate()}>
          Try again
        </button>
      )}
    </Alert>
  );
}
