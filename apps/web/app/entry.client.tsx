import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { keepDoubleClicksTogether } from './lib/keep-double-clicks-together.ts';
import { takeMailLinkFromAddress } from './lib/mail-link.ts';
import { reportThrown, watchWindow } from './lib/telemetry.ts';
import { startReporting } from './reporting/start-reporting.ts';

takeMailLinkFromAddress();
watchWindow();
keepDoubleClicksTogether();
startReporting();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={reportThrown} />
    </StrictMode>,
  );
});
