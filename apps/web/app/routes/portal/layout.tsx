import type { User } from '@brightpane/contract/customers/users';
import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { nameAccount } from '@brightpane/ui/reporting/telemetry';
import { useLayoutEffect } from 'react';
import { NavLink, Outlet } from 'react-router';
import { LogOutButton } from '../../features/auth/log-out-button.tsx';
import { useSessionEnd } from '../../features/auth/use-session-end.ts';
import { loadData } from '../../lib/load-data.ts';
import { signedInOnly } from '../../lib/session/guards.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';
import type { Route } from './+types/layout.ts';

export const clientMiddleware = [signedInOnly];

/** Who is signed in, for as long as the signed-in area is open. */
export async function clientLoader() {
  const user = await loadData<User>('user');
  nameAccount(user.id);
  return user;
}

export function shouldRevalidate(): boolean {
  return false;
}

const LINKS = [
  { to: '/invoices', text: 'Invoices' },
  { to: '/locations/add', text: 'Add Location' },
  { to: '/payment-methods', text: 'Payment Methods' },
  { to: '/payments', text: 'Payments' },
  { to: '/account', text: 'Account' },
];

export default function PortalLayout({ loaderData: user }: Route.ComponentProps) {
  useSessionEnd();
  // Before anything is shown to whoever comes next.
  useLayoutEffect(() => () => nameAccount(null), []);
  return (
    <SiteFrame
      actions={
        <nav aria-label="Portal" className="portal-nav">
          {LINKS.map(({ to, text }) => (
            <NavLink key={to} to={to} className="portal-nav-item">
              {text}
            </NavLink>
          ))}
          <LogOutButton className="portal-nav-item" />
        </nav>
      }
    >
      <Flash />
      <Outlet context={user} />
    </SiteFrame>
  );
}
