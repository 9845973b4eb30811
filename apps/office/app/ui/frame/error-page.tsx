import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';
import { NotAllowedPage } from './not-allowed-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { OfficeTitle } from './office-title.tsx';

/** Replaces a screen that failed to load and says why; `null` stands for an error of our own. */
export function ErrorPage({ problem }: { problem: RefusedCall | null }) {
  if (problem?.status === 403) return <NotAllowedPage />;
  if (problem?.status === 404) return <NotFoundPage />;
  return (
    <div className="message-page">
      <OfficeTitle title="This screen could not be opened" />
      <p role="status">
        {problem ? refusalWords(problem, NOT_HEARD_READING) : 'An unexpected error has occurred.'}
      </p>
      <button type="button" className="btn btn-primary" onClick={() => window.location.reload()}>
        Try again
      </button>
    </div>
  );
}
