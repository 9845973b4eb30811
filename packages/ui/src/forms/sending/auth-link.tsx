import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIsSending } from './sending.ts';

/** A link beside a form. It goes nowhere while the form is being sent: its outcome would be lost. */
export function AuthLink({
  to,
  isOutside = false,
  className = 'auth-link',
  children,
}: {
  to: string;
  /** To a page of the other app. */
  isOutside?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const waits = useIsSending();
  return (
    <Link
      className={className}
      to={isOutside ? new URL(to, window.location.origin).href : to}
      aria-disabled={waits || undefined}
      onClick={(event) => waits && event.preventDefault()}
    >
      {children}
    </Link>
  );
}
