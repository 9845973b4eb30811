import { FranchiseScreen } from '../../features/franchise-settings/franchise-screen.tsx';
import { loadFranchise } from '../../features/franchise-settings/load-franchise.ts';
import { useRight } from '../../lib/me/use-me.ts';
import { ChooseFranchise } from '../../ui/fields/choose-franchise.tsx';
import { NotAllowedPage } from '../../ui/frame/not-allowed-page.tsx';
import type { Route } from './+types/franchise.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadFranchise(request);
}

export default function FranchisePage({ loaderData: franchise }: Route.ComponentProps) {
  if (!useRight('settings')) return <NotAllowedPage />;
  if (franchise === null) return <ChooseFranchise title="Franchise" />;
  return <FranchiseScreen key={franchise.franchiseId} franchise={franchise} />;
}
