import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Link } from 'react-router';

export function NotFoundPage() {
  return (
    <div className="message-page">
      <PageTitle title="Page not found" />
      <p>There is nothing at this address. It may have been mistyped, or the page may have moved.</p>
      <Link className="btn btn-primary" to="/">
        Go to the start page
      </Link>
    </div>
  );
}
