import type { Location } from '@brightpane/contract/customers/locations';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useGoTo } from '@brightpane/ui/page/use-go-to';
import { redirect, useFetcher, useLocation } from 'react-router';
import { useUser } from '../../features/auth/use-user.ts';
import { addPaymentMethod, type CardToAdd } from '../../features/payment-methods/add-payment-method.ts';
import { AddPaymentMethodForm } from '../../features/payment-methods/add-payment-method-form.tsx';
import { cameFrom } from '../../features/payment-methods/came-from.ts';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/add-payment-method.ts';

export async function clientLoader() {
  const locations = await loadData<Location[]>('locations');
  if (locations.length === 0) throw redirect('/payment-methods');
  return null;
}

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  return addPaymentMethod((await request.json()) as CardToAdd);
}

/** Nothing on this page depends on whether a card was added. */
export function shouldRevalidate(): boolean {
  return false;
}

export default function AddPaymentMethod() {
  const { id: userId } = useUser();
  const returnTo = cameFrom(useLocation().state);
  const fetcher = useFetcher<typeof clientAction>();
  const result = fetcher.state === 'idle' ? fetcher.data : undefined;
  useGoTo(result);
  return (
    <div className="add-card">
      <PageTitle title="Add Payment Method" />
      <AddPaymentMethodForm
        result={result}
        isSaving={fetcher.state !== 'idle'}
        isSaved={result?.success === true}
        cancelTo={returnTo}
        onAdd={(card) =>
          fetcher.submit({ ...card, userId, returnTo }, { method: 'post', encType: 'application/json' })
        }
      />
    </div>
  );
}
