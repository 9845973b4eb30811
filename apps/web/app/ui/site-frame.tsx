import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useBrand } from '../lib/brand.ts';
import { BrandMark } from './brand-mark.tsx';

/** Header with the name, main, footer: the frame of every screen. `actions` stand at the header's end. */
export function SiteFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const brand = useBrand();
  useEffect(() => {
    if (brand.primary) document.documentElement.style.setProperty('--primary', brand.primary);
  }, [brand]);
  return (
    <div className="site">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="site-header">
        <div className="container site-header-row">
          <Link className="brand" to="/">
            <BrandMark />
            <span>{brand.name}</span>
          </Link>
          {actions}
        </div>
      </header>
      <main id="main" className="container site-main" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <div className="container">
          Card details go straight to the card processor and are never stored by {brand.name}.
        </div>
      </footer>
    </div>
  );
}
