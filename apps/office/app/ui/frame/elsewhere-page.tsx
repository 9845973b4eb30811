import { env } from '../../lib/env.ts';
import { OfficeTitle } from './office-title.tsx';

/** All that the console shows on an origin that isn't its own. */
export function ElsewherePage() {
  const address = `${env.officeUrl}/office/`;
  return (
    <div className="message-page">
      <OfficeTitle title="The console is elsewhere" />
      <p>
        Open the console at <a href={address}>{address}</a>
      </p>
    </div>
  );
}
