import { keepDoubleClicksTogether } from '@brightpane/ui/keep-double-clicks-together';
import { takeMailLinkFromAddress } from '@brightpane/ui/mail-link';
import { reportThrown, watchWindow } from '@brightpane/ui/telemetry';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { ElsewhereError } from './lib/elsewhere.ts';
import { startReporting } from './reporting/start-reporting.ts';

takeMailLinkFromAddress(['/office/welcome', '/office/reset', '/office/demo']);
watchWindow(() => false);
keepDoubleClicksTogether();
startReporting();

// A page from the browser's cache may be somebody else's by now.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={(error) => error instanceof ElsewhereError || reportThrown(error)} />
    </StrictMode>,
  );
});
