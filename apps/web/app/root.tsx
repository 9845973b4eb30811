import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { documentOf } from '@brightpane/ui/page/app-document.tsx';
import { PRODUCT_NAME } from '@brightpane/ui/page/brand';
import { isRouteErrorResponse, Outlet } from 'react-router';
import type { Route } from './+types/root.ts';
import './styles/app.scss';
import { PageSkeleton } from '@brightpane/ui/page/page-skeleton.tsx';
import { useIsAlive } from '@brightpane/ui/page/start/page-starts';
import { StalledNotice } from '@brightpane/ui/page/start/stalled-notice.tsx';
import { ErrorPage } from './ui/error-page.tsx';
import { NavigationProgress } from './ui/navigation-progress.tsx';
import { NotFoundPage } from './ui/not-found-page.tsx';
import { SiteFrame } from './ui/site-frame.tsx';

export const Layout = documentOf(
  '/favicon.svg',
  <meta name="description" content="See what you owe for work at your place, and pay it by card." />,
  'Please allow JavaScript for this page: paying needs it.',
);

export default function Root() {
  const isAlive = useIsAlive();
  return (
    <>
      <NavigationProgress />
      <Outlet />
      {isAlive || <StalledNotice />}
    </>
  );
}

/** Shown on pages that aren't prerendered until their script runs. */
export function HydrateFallback() {
  return (
    <SiteFrame>
      <title>{PRODUCT_NAME}</title>
      <PageSkeleton />
      <StalledNotice />
    </SiteFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useIsAlive();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  return <SiteFrame>{isNotFound ? <NotFoundPage /> : <ErrorPage advice={adviceOf(error)} />}</SiteFrame>;
}

function adviceOf(error: unknown): string {
  return error instanceof LoadError ? error.advice : '';
}
