import { PRODUCT_NAME } from '@brightpane/ui/page/brand';
import { BrandMark } from '@brightpane/ui/page/brand-mark.tsx';
import { SkipLink } from '@brightpane/ui/page/skip-link.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TermsLink } from './terms-link.tsx';

/** The frame of every screen: header, main, footer. `actions` are at the header's end. */
export function SiteFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="site">
      <SkipLink />
      <header className="site-header">
        <div className="container site-header-row">
          <Link className="brand" to="/">
            <BrandMark />
            <span>{PRODUCT_NAME}</span>
          </Link>
          {actions}
        </div>
      </header>
      <main id="main" className="container site-main" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <div className="container site-footer-row">
          <span>
            Your card number goes straight to the card processor and is never stored by {PRODUCT_NAME}.
          </span>{' '}
          <TermsLink>Terms</TermsLink>
        </div>
      </footer>
    </div>
  );
}
