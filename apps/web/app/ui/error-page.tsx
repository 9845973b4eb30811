import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Link } from 'react-router';
import { env } from '../lib/env.ts';

/** The last resort. "Try again" reloads the page, since the failed state may be in memory. */
export function ErrorPage({ advice = '' }: { advice?: string }) {
  return (
    <div className="message-page">
      <PageTitle title="Oops, an unexpected error has occurred." />
      {advice && <p role="status">{advice}</p>}
      <p>
        {env.sentryDsn !== null && 'It has been reported. '}
        If you were paying, open the invoice again to see whether it is paid.
      </p>
      <div className="button-row">
        <button type="button" className="btn btn-primary" onClick={() => window.location.reload()}>
          Try again
        </button>
        <Link className="btn btn-outline" to="/" reloadDocument>
          Go to the start page
        </Link>
      </div>
    </div>
  );
}
