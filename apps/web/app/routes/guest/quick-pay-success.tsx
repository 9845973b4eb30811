import type { User } from '@brightpane/contract/customers/users';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useEffect } from 'react';
import { Link, type MiddlewareFunction, redirect, useLocation } from 'react-router';
import { actOnOffer } from '../../features/account-offer/act-on-offer.ts';
import { AddOfferedLocation } from '../../features/account-offer/add-offered-location.tsx';
import { CreateAccount } from '../../features/account-offer/create-account.tsx';
import { keepPaidState, type PaidState, readPaidState } from '../../features/account-offer/paid-state.ts';
import { useOffered } from '../../features/account-offer/use-offered.ts';
import { readReceipt } from '../../features/quick-pay/guest-receipt.ts';
import { SuccessScreen } from '../../features/quick-pay/success-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import { forgetReturnPath, rememberReturnPath } from '../../lib/session/return-path.ts';
import { isLoggedIn } from '../../lib/session/session.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';
import type { Route } from './+types/quick-pay-success.ts';

/** For guests, and for people who signed in to take the payment into their account. */
const guestsWithOffer: MiddlewareFunction = () => {
  if (isLoggedIn() && !readPaidState()?.offer) throw redirect('/invoices');
};

export const clientMiddleware = [guestsWithOffer];

/** Loads the person, if signed in. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (!isLoggedIn()) return { user: null };
  rememberReturnPath(new URL(request.url).pathname);
  const user = await loadData<User>('user');
  forgetReturnPath();
  return { user };
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return actOnOffer(await request.formData());
}

/** Actions lead to another page, so there is nothing to reload here. */
export function shouldRevalidate(): boolean {
  return false;
}

export default function QuickPaySuccess({ loaderData: { user } }: Route.ComponentProps) {
  const { state: left } = useLocation();
  const arrived = readReceipt(left) ? (left as PaidState) : null;
  // The way back from signing in carries no history state.
  const state = arrived ?? readPaidState();
  useEffect(() => {
    if (arrived) keepPaidState(arrived);
  }, [arrived]);
  const kept = state?.offer;
  const offer = useOffered(kept?.token);
  const to = user ? { path: '/invoices', text: 'Invoices' } : { path: '/login', text: 'Log In' };

  return (
    <SiteFrame
      actions={
        <nav aria-label="Account">
          <Link className="btn btn-quiet" to={to.path}>
            {to.text}
          </Link>
        </nav>
      }
    >
      <SuccessScreen receipt={readReceipt(state)} isAsking={offer === undefined} isSignedIn={user !== null}>
        {user && offer !== undefined && <AddOfferedLocation offer={offer} user={user} />}
        {!user && kept && offer && <CreateAccount offer={offer} payer={kept.payer} />}
      </SuccessScreen>
    </SiteFrame>
  );
}
