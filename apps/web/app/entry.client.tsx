import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { takeMailLinkFromAddress } from './lib/mail-link.ts';
import { reportThrown, watchWindow } from './lib/telemetry.ts';

takeMailLinkFromAddress();
watchWindow();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={reportThrown} />
    </StrictMode>,
  );
});
