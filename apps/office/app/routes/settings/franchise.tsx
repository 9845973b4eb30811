import { FranchiseScreen } from '../../features/franchise-settings/franchise-screen.tsx';
import { loadFranchise } from '../../features/franchise-settings/load-franchise.ts';
import { ChooseFranchise } from '../../ui/fields/choose-franchise.tsx';
import type { Route } from './+types/franchise.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadFranchise(request);
}

export default function FranchisePage({ loaderData: franchise }: Route.ComponentProps) {
  if (franchise === null) return <ChooseFranchise title="Franchise" />;
  return <FranchiseScreen key={franchise.franchiseId} franchise={franchise} />;
}
