import { keepDoubleClicksTogether } from '@brightpane/ui/forms/keep-double-clicks-together';
import { takeMailLinkFromAddress } from '@brightpane/ui/mail-link/mail-link';
import { startPage } from '@brightpane/ui/page/start/page-starts';
import { reportThrown, watchWindow } from '@brightpane/ui/reporting/telemetry';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { isFromGoneCardFrame } from './lib/gone-card-frame.ts';
import { OwnPage } from './lib/own-page.tsx';
import { startReporting } from './reporting/start-reporting.ts';

takeMailLinkFromAddress(['/confirm', '/resetpassword', '/invitation', '/mail/email', '/mail/undo']);
watchWindow(isFromGoneCardFrame);
keepDoubleClicksTogether();
startReporting();

startPage(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <OwnPage>
        <HydratedRouter onError={reportThrown} />
      </OwnPage>
    </StrictMode>,
  );
});
