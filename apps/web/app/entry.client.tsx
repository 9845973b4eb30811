import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { reportThrown, watchWindow } from './lib/telemetry.ts';

watchWindow();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={reportThrown} />
    </StrictMode>,
  );
});
