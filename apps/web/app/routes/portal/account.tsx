import type { Account, SessionShown } from '@brightpane/contract/customers/account';
import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { fromDollars } from '@brightpane/contract/wire';
import { cents, sumCents } from '@brightpane/money/cents';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { AccountScreen } from '../../features/account/account-screen.tsx';
import { actOnAccount } from '../../features/account/act-on-account.ts';
import { tryToLoad, useLastGoodLoad } from '../../lib/last-good-load.ts';
import { isOfLeftScreen } from '../../lib/left-screen.ts';
import { loadData } from '../../lib/load-data.ts';
import { readData } from '../../lib/read-data.ts';
import type { Route } from './+types/account.ts';

export async function clientLoader() {
  return tryToLoad(loadAccount);
}

async function loadAccount() {
  const [account, sessions, owed] = await Promise.all([
    loadData<Account>('account'),
    loadData<SessionShown[]>('sessions'),
    readOwed(),
  ]);
  return { account, sessions, owed };
}

/** Only the dialog that closes the account shows it, so the page loads without it too; the dialog says so then. */
async function readOwed() {
  const answer = await readData<Invoice[]>('invoices');
  if (!answer.ok) return null;
  return sumCents(answer.data.map(({ balanceDue }) => fromDollars(balanceDue) ?? cents(0)));
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return actOnAccount(await request.formData());
}

/** A result that leads elsewhere leaves nothing to reload here. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { actionResult, defaultShouldRevalidate } = args;
  return (actionResult?.goTo === undefined || isOfLeftScreen(args)) && defaultShouldRevalidate;
}

export default function AccountPage({ loaderData }: Route.ComponentProps) {
  // A load that fails again doesn't take this page's outcomes, nor what is typed in its forms.
  const load = useLastGoodLoad(loaderData, true);
  if (!load.ok) throw load.thrown;
  return <AccountScreen {...load.data} isStale={load !== loaderData} />;
}
