import type { ReactNode } from 'react';
import { DemoBand } from './demo-band.tsx';
import { OfficeBrand } from './office-brand.tsx';

/** Name and main: the frame of screens in front of a session, and of those that say why there is none. */
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
