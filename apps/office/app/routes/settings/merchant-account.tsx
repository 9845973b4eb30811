import { loadFranchise } from '../../features/franchise-settings/load-franchise.ts';
import { MerchantAccountScreen } from '../../features/franchise-settings/merchant-account-screen.tsx';
import { useRight } from '../../lib/me/use-me.ts';
import { ChooseFranchise } from '../../ui/fields/choose-franchise.tsx';
import { NotAllowedPage } from '../../ui/frame/not-allowed-page.tsx';
import type { Route } from './+types/merchant-account.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadFranchise(request);
}

export default function MerchantAccountPage({ loaderData: franchise }: Route.ComponentProps) {
  if (!useRight('keys')) return <NotAllowedPage />;
  if (franchise === null) return <ChooseFranchise title="Merchant account" />;
  return <MerchantAccountScreen key={franchise.franchiseId} franchise={franchise} />;
}
