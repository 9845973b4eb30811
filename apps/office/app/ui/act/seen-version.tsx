import { useState } from 'react';

/** The version that the screen showed when the dialog opened: what is loaded behind the dialog, nobody has read. */
export function SeenVersion({ version }: { version: number | undefined }) {
  const [seen] = useState(version);
  return <input type="hidden" name="version" value={seen ?? ''} />;
}
