import type { User } from '@brightpane/contract/customers/users';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Flash } from '@brightpane/ui/outcomes/flash.tsx';
import { nameAccount } from '@brightpane/ui/reporting/telemetry';
import { useEffect, useLayoutEffect, useState } from 'react';
import { NavLink, Outlet, type ShouldRevalidateFunctionArgs, useLocation } from 'react-router';
import { LogOutButton } from '../../features/auth/log-out-button.tsx';
import { useSessionEnd } from '../../features/auth/use-session-end.ts';
import { tryToLoad, useLastGoodLoad } from '../../lib/last-good-load.ts';
import { loadData } from '../../lib/load-data.ts';
import { findRefusedLink, forgetRefusedLink } from '../../lib/session/anonymous-only.ts';
import { signedInOnly } from '../../lib/session/guards.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';
import type { Route } from './+types/layout.ts';

export const clientMiddleware = [signedInOnly];

/** Loads the signed-in person for the whole signed-in area. */
export async function clientLoader() {
  return tryToLoad(async () => {
    const user = await loadData<User>('user');
    nameAccount(user.id);
    return user;
  });
}

/** Again with the invoices: a payment leads there, and its receipt goes to the address that the account has now. */
export function shouldRevalidate({ nextUrl, actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return nextUrl.pathname === '/invoices' && actionResult === undefined;
}

const LINKS = [
  { to: '/invoices', text: 'Invoices' },
  { to: '/locations/add', text: 'Add Location' },
  { to: '/payment-methods', text: 'Payment Methods' },
  { to: '/payments', text: 'Payments' },
  { to: '/account', text: 'Account' },
];

export default function PortalLayout({ loaderData }: Route.ComponentProps) {
  // The person stays the same, and what a payment leads to says that it was made.
  const load = useLastGoodLoad(loaderData, true);
  if (!load.ok) throw load.thrown;
  const user = load.data;
  useSessionEnd(user.id);
  // A layout effect, so that it runs before the next person's page is shown.
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
      <RefusedLink email={user.email} />
      <Outlet context={user} />
    </SiteFrame>
  );
}

/** On the page to which a mailed link led that only works signed out. */
function RefusedLink({ email }: { email: string }) {
  const { key } = useLocation();
  const [first] = useState(() => ({ key, mailedTo: findRefusedLink(email) }));
  // After every rendering: going back to the link leads here again, where it would wait for the next person.
  useEffect(forgetRefusedLink);
  if (first.mailedTo === null || first.key !== key) return null;
  return (
    <Alert tone="warning">
      You are signed in as {email}. To use the link that was sent to {first.mailedTo}, log out and open it
      again from the mail.
    </Alert>
  );
}
