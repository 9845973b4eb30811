import { OfficeLink } from '../facts/office-link.tsx';
import { OfficeTitle } from './office-title.tsx';

/** Shown where the person's rights don't suffice. */
export function NotAllowedPage() {
  return (
    <div className="message-page">
      <OfficeTitle title="You cannot see this" />
      <p>Ask an owner or headquarters.</p>
      <OfficeLink className="btn btn-primary" to="/">
        Go to the start screen
      </OfficeLink>
    </div>
  );
}
