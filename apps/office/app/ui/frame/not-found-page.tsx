import { OfficeLink } from '../facts/office-link.tsx';
import { OfficeTitle } from './office-title.tsx';

export function NotFoundPage() {
  return (
    <div className="message-page">
      <OfficeTitle title="Page not found" />
      <p>There is nothing at this address. It may have been mistyped, or it may belong to another office.</p>
      <OfficeLink className="btn btn-primary" to="/">
        Go to the start screen
      </OfficeLink>
    </div>
  );
}
