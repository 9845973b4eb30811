import type { Location } from '@brightpane/contract/customers/locations';
import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { PaymentMethodsHint } from '../../features/payment-methods/payment-methods-hint.tsx';
import { PaymentMethodsScreen } from '../../features/payment-methods/payment-methods-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/payment-methods.ts';

export async function clientLoader() {
  const [locations, cards] = await Promise.all([
    loadData<Location[]>('locations'),
    loadData<PaymentMethod[]>('paymentMethods'),
  ]);
  return { hasLocations: locations.length > 0, cards };
}

export default function PaymentMethods({ loaderData: { hasLocations, cards } }: Route.ComponentProps) {
  return (
    <PaymentMethodsScreen title="Payment Methods" cards={cards} canAdd={hasLocations}>
      <PaymentMethodsHint hasLocations={hasLocations} hasCards={cards.length > 0} />
    </PaymentMethodsScreen>
  );
}
