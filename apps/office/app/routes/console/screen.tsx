import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { Outlet, useLocation } from 'react-router';
import { ErrorPage } from '../../ui/frame/error-page.tsx';
import type { Route } from './+types/screen.ts';

/** The parent of every screen in the frame; its error boundary keeps the frame around errors. */
export default function Screen() {
  const { pathname } = useLocation();
  // Keyed, so that nothing typed or open on one payment, customer or invoice moves to the next one.
  return <Outlet key={pathname} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage problem={error instanceof LoadError ? error.problem : null} />;
}
