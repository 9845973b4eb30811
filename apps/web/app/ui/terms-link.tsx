import type { ReactNode } from 'react';

/** Opens the terms beside the page, which keeps what was typed. A document of its own: it alone carries the text. */
export function TermsLink({ children }: { children: ReactNode }) {
  return (
    <a href="/terms" target="_blank" rel="noopener">
      {children}
    </a>
  );
}
