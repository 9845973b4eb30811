import { OfficeTitle } from './office-title.tsx';

/** Where one's rights end. */
export function NotAllowedPage() {
  return (
    <div className="message-page">
      <OfficeTitle title="You cannot see this" />
      <p>Ask an owner or headquarters.</p>
    </div>
  );
}
