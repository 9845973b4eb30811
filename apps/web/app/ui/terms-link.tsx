import type { ReactNode } from 'react';

/** Opens the terms in another tab, so that the page keeps what was typed. Only that document carries the text. */
export function TermsLink({ children }: { children: ReactNode }) {
  return (
    <a href="/terms" target="_blank" rel="noopener">
      {children}
    </a>
  );
}
