import { keepDoubleClicksTogether } from '@brightpane/ui/forms/keep-double-clicks-together';
import { takeMailLinkFromAddress } from '@brightpane/ui/mail-link/mail-link';
import { startPage } from '@brightpane/ui/page/start/page-starts';
import { reportThrown, watchWindow } from '@brightpane/ui/reporting/telemetry';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { ElsewhereError } from './lib/elsewhere.ts';
import { startReporting } from './reporting/start-reporting.ts';

takeMailLinkFromAddress(['/office/welcome', '/office/reset', '/office/demo']);
watchWindow(() => false);
keepDoubleClicksTogether();
startReporting();

// A page from the back-forward cache may show the previous person's data.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload();
});

startPage(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={(error) => error instanceof ElsewhereError || reportThrown(error)} />
    </StrictMode>,
  );
});
