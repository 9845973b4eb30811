import type { Me } from '@brightpane/contract/office/sessions';
import { LoadError } from '@brightpane/ui/load-error';
import { PageSkeleton } from '@brightpane/ui/page-skeleton.tsx';
import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import type { Route } from './+types/root.ts';
import { Questions } from './features/auth/questions.tsx';
import { ElsewhereError, stayAtHome } from './lib/elsewhere.ts';
import { env } from './lib/env.ts';
import './styles/app.scss';
import { ElsewherePage } from './ui/elsewhere-page.tsx';
import { ErrorPage } from './ui/error-page.tsx';
import { NotFoundPage } from './ui/not-found-page.tsx';
import { PlainFrame } from './ui/plain-frame.tsx';

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [() => stayAtHome()];

/** So that the middleware runs before the first screen of all. */
export function clientLoader() {
  return null;
}

/** The document. It is rendered at build time, so nothing here may ask for a window. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d1722" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/office/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <AskPerson />
        <noscript>
          <p className="notice notice-warning">Please allow JavaScript: the office console needs it.</p>
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

/** Here and not in the frame: a session may be found idle before there is one. */
function AskPerson() {
  const me = useRouteLoaderData<Me>('routes/console/layout');
  return <Questions email={me?.email ?? ''} isDemo={me?.isDemo ?? env.isDemo} />;
}

export default function Root() {
  return <Outlet />;
}

/** What the page shows until its script runs. */
export function HydrateFallback() {
  return (
    <PlainFrame>
      <title>Brightpane office</title>
      <PageSkeleton />
    </PlainFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PlainFrame>{pageOf(error)}</PlainFrame>;
}

function pageOf(error: unknown) {
  if (error instanceof ElsewhereError) return <ElsewherePage />;
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return <ErrorPage problem={error instanceof LoadError ? error.problem : null} />;
}
