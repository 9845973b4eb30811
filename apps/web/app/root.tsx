import { PRODUCT_NAME } from '@brightpane/ui/brand';
import { LoadError } from '@brightpane/ui/load-error';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root.ts';
import './styles/app.scss';
import { PageSkeleton } from '@brightpane/ui/page-skeleton.tsx';
import { ErrorPage } from './ui/error-page.tsx';
import { NotFoundPage } from './ui/not-found-page.tsx';
import { SiteFrame } from './ui/site-frame.tsx';

/** The document. It is rendered at build time, so nothing here may ask for a window. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="description" content="See what you owe for work at your place, and pay it by card." />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1722" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <noscript>
          <p className="notice notice-warning">Please allow JavaScript for this page: paying needs it.</p>
        </noscript>
        {/* The API server replaces this text with the deployment's settings (lib/env.ts reads them). */}
        <script
          id="settings"
          type="application/json"
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a fixed text; children would be escaped.
          dangerouslySetInnerHTML={{ __html: '{}' }}
        />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** What a page that is not prerendered shows until its script runs. */
export function HydrateFallback() {
  return (
    <SiteFrame>
      <title>{PRODUCT_NAME}</title>
      <PageSkeleton />
    </SiteFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  return <SiteFrame>{isNotFound ? <NotFoundPage /> : <ErrorPage advice={adviceOf(error)} />}</SiteFrame>;
}

function adviceOf(error: unknown): string {
  return error instanceof LoadError ? error.advice : '';
}
