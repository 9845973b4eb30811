import { readSearchNumbers } from '../../features/invoice-search/three-numbers.ts';
import { addLocation } from '../../features/locations/add-location.ts';
import { AddLocationScreen } from '../../features/locations/add-location-screen.tsx';
import { WhereTheNumbersAre } from '../../features/quick-pay/where-the-numbers-are.tsx';
import type { ActionResult } from '../../lib/action-result.ts';
import { formText } from '../../lib/form-text.ts';
import type { Route } from './+types/add-location.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  return addLocation(readSearchNumbers({ get: (name) => formText(form, name) }));
}

export default function AddLocation() {
  return (
    <AddLocationScreen>
      <WhereTheNumbersAre />
    </AddLocationScreen>
  );
}
