import type { User } from '@brightpane/contract/customers/users';
import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useEffect, useState } from 'react';
import { Link, type MiddlewareFunction, redirect, useLocation } from 'react-router';
import { actOnOffer } from '../../features/account-offer/act-on-offer.ts';
import { ADD_LOCATION, AddOfferedLocation } from '../../features/account-offer/add-offered-location.tsx';
import { CREATE_ACCOUNT, CreateAccount } from '../../features/account-offer/create-account.tsx';
import { OfferUnknown } from '../../features/account-offer/offer-unknown.tsx';
import { useOffered } from '../../features/account-offer/use-offered.ts';
import { readReceipt } from '../../features/quick-pay/guest-receipt.ts';
import { SuccessScreen } from '../../features/quick-pay/success-screen.tsx';
import { readData } from '../../lib/read-data.ts';
import { readMadeAccount } from '../../lib/session/made-account.ts';
import { type PaidMark, readPaidState } from '../../lib/session/paid-state.ts';
import { forgetReturnPath, rememberReturnPath } from '../../lib/session/return-path.ts';
import { isLoggedIn } from '../../lib/session/session.ts';
import { SiteFrame } from '../../ui/site-frame.tsx';
import type { Route } from './+types/quick-pay-success.ts';

/** For guests, and for whoever paid in this tab and has signed in since, here or in another tab. */
const guestsAndPayers: MiddlewareFunction = () => {
  if (isLoggedIn() && !readReceipt(readPaidState())) throw redirect('/invoices');
};

export const clientMiddleware = [guestsAndPayers];

type Person = { user: User | null; unknown?: RefusedCall };

/** Loads the person, if signed in. What was paid is shown without them too. */
export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Person> {
  if (!isLoggedIn()) return { user: null };
  rememberReturnPath(new URL(request.url).pathname);
  const answer = await readData<User>('user');
  forgetReturnPath();
  return answer.ok ? { user: answer.data } : { user: null, unknown: answer.problem };
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return actOnOffer(await request.formData());
}

/** Actions lead to another page, so there is nothing to reload here. */
export function shouldRevalidate(): boolean {
  return false;
}

export default function QuickPaySuccess({ loaderData }: Route.ComponentProps) {
  // The way back from signing in carries no history state.
  const left: PaidMark | null = useLocation().state;
  return <PaidPage key={left?.paid} left={left} {...loaderData} />;
}

function PaidPage({ left, user, unknown }: Person & { left: PaidMark | null }) {
  // As on arrival: what used the offer up has forgotten it, and its form must stay to say so or to lead on.
  const [state] = useState(() => readPaidState(left));
  const [isAccountMade] = useState(() => readMadeAccount() !== null);
  useEffect(() => {
    // The browser may have kept the page while its payer logged out.
    const look = ({ persisted }: PageTransitionEvent) => {
      if (persisted && state !== null && readPaidState(left) === null) window.location.reload();
    };
    window.addEventListener('pageshow', look);
    return () => window.removeEventListener('pageshow', look);
  }, [state, left]);
  const kept = state?.offer;
  const isSignedIn = user !== null || unknown !== undefined;
  const asked = user ? readPaidState(left)?.offer : kept;
  const offered = useOffered(unknown ? undefined : asked?.token);
  const offer = offered.kind === 'found' ? offered.offer : null;
  const isAskedAgain = 'isAskedAgain' in offered && offered.isAskedAgain;
  const to = isSignedIn ? { path: '/invoices', text: 'Invoices' } : { path: '/login', text: 'Log In' };

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
      <SuccessScreen
        receipt={readReceipt(state)}
        isAsking={offered.kind === 'asking'}
        isSignedIn={isSignedIn}
        isAccountMade={isAccountMade}
      >
        {unknown && kept && (
          <OfferUnknown
            title={ADD_LOCATION}
            problem={unknown}
            isAskingAgain={false}
            askAgain={() => window.location.reload()}
          />
        )}
        {offered.kind === 'unknown' && (
          <OfferUnknown title={user ? ADD_LOCATION : CREATE_ACCOUNT} {...offered} />
        )}
        {user && kept && ['found', 'over', 'none'].includes(offered.kind) && (
          <AddOfferedLocation offer={offer} isAskedAgain={isAskedAgain} user={user} />
        )}
        {/* A guest who comes after the offer is over never saw it. */}
        {!isSignedIn && kept && (offer || (offered.kind === 'over' && isAskedAgain)) && (
          <CreateAccount
            offer={offer}
            isAskedAgain={isAskedAgain}
            isAccountMade={isAccountMade}
            payer={kept.payer}
          />
        )}
      </SuccessScreen>
    </SiteFrame>
  );
}
