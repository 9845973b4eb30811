import type { ReactNode } from 'react';
import { DemoBand } from './demo-band.tsx';
import { OfficeBrand } from './office-brand.tsx';

/** The frame of screens before sign-in, and of those that say why there is no session. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className="plain">
      <DemoBand />
      <header className="plain-head">
        <OfficeBrand />
      </header>
      <main id="main" className="plain-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
