import type { Location } from '@brightpane/contract/customers/locations';
import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { PaymentMethodDetails } from '../../features/payment-methods/payment-method-details.tsx';
import { PaymentMethodsScreen } from '../../features/payment-methods/payment-methods-screen.tsx';
import { removePaymentMethod } from '../../features/payment-methods/remove-payment-method.ts';
import { isOfLeftScreen } from '../../lib/left-screen.ts';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/payment-method.ts';

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const [locations, cards] = await Promise.all([
    loadData<Location[]>('locations'),
    loadData<PaymentMethod[]>('paymentMethods'),
  ]);
  const card = cards.find(({ id }) => id === params.paymentMethodId);
  if (card === undefined) throw new Error('Payment method not found');
  return { hasLocations: locations.length > 0, cards, card };
}

export async function clientAction({ request, params }: Route.ClientActionArgs): Promise<ActionResult> {
  const intent = formText(await request.formData(), 'intent');
  if (intent !== 'remove-payment-method') throw new Error(`Unknown form action: ${intent}`);
  return removePaymentMethod(params.paymentMethodId);
}

/** After a deletion the page navigates to the list; reloading first would no longer find the card. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { actionResult, defaultShouldRevalidate } = args;
  return (actionResult === undefined || isOfLeftScreen(args)) && defaultShouldRevalidate;
}

export default function PaymentMethodPage({
  loaderData: { hasLocations, cards, card },
}: Route.ComponentProps) {
  return (
    <PaymentMethodsScreen title="Payment Method" cards={cards} canAdd={hasLocations} isDetail>
      <PaymentMethodDetails key={card.id} card={card} />
    </PaymentMethodsScreen>
  );
}
