import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { logOut } from './log-out.ts';

export function LogOutButton({
  className,
  to = '/',
  children = 'Log out',
}: {
  className: string;
  /** Where it leads. */
  to?: string;
  children?: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        logOut();
        void navigate(to);
      }}
    >
      {children}
    </button>
  );
}
