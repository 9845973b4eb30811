import type { Me } from '@brightpane/contract/office/sessions';
import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { documentOf } from '@brightpane/ui/page/app-document.tsx';
import { PageSkeleton } from '@brightpane/ui/page/page-skeleton.tsx';
import { useIsAlive } from '@brightpane/ui/page/start/page-starts';
import { StalledNotice } from '@brightpane/ui/page/start/stalled-notice.tsx';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Outlet, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/root.ts';
import { Questions } from './features/auth/questions/questions.tsx';
import { ElsewhereError, stayAtHome } from './lib/elsewhere.ts';
import { env } from './lib/env.ts';
import './styles/app.scss';
import { ElsewherePage } from './ui/frame/elsewhere-page.tsx';
import { ErrorPage } from './ui/frame/error-page.tsx';
import { NotFoundPage } from './ui/frame/not-found-page.tsx';
import { PlainFrame } from './ui/frame/plain-frame.tsx';

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [() => stayAtHome()];

/** Exists so that the middleware runs before the very first screen. */
export function clientLoader() {
  return null;
}

const Document = documentOf(
  '/office/favicon.svg',
  <meta name="robots" content="noindex" />,
  'Please allow JavaScript: the office console needs it.',
);

export function Layout({ children }: { children: ReactNode }) {
  return (
    <Document>
      {children}
      <AskPerson />
    </Document>
  );
}

/** Here rather than in the frame: a session may turn out to be idle before the frame has loaded. */
function AskPerson() {
  const me = useRouteLoaderData<Me>('routes/console/layout');
  return <Questions email={me?.email ?? ''} isDemo={me?.isDemo ?? env.isDemo} />;
}

export default function Root() {
  useIsAlive();
  return <Outlet />;
}

/** Shown until the page's script runs. */
export function HydrateFallback() {
  return (
    <PlainFrame>
      <title>Brightpane office</title>
      <PageSkeleton />
      <StalledNotice />
    </PlainFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useIsAlive();
  return <PlainFrame>{pageOf(error)}</PlainFrame>;
}

function pageOf(error: unknown) {
  if (error instanceof ElsewhereError) return <ElsewherePage />;
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return <ErrorPage problem={error instanceof LoadError ? error.problem : null} />;
}
