import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useSearchParams } from 'react-router';
import { areComplete, readSearchNumbers } from '../../features/invoice-search/three-numbers.ts';
import { addLocation } from '../../features/locations/add-location.ts';
import { AddLocationScreen } from '../../features/locations/add-location-screen.tsx';
import { WhereTheNumbersAre } from '../../features/quick-pay/where-the-numbers-are.tsx';
import { rememberScannedNumbers } from '../../lib/scanned-numbers.ts';
import type { Route } from './+types/add-location.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  const numbers = readSearchNumbers({ get: (name) => formText(form, name) });
  const result = await addLocation(numbers);
  // People who came by an invoice's code want to pay it.
  const cameByCode = areComplete(readSearchNumbers(new URL(request.url).searchParams));
  if (result.success && cameByCode) rememberScannedNumbers(`?${new URLSearchParams(numbers)}`);
  return result;
}

export default function AddLocation() {
  const [query] = useSearchParams();
  return (
    <AddLocationScreen numbers={readSearchNumbers(query)}>
      <WhereTheNumbersAre />
    </AddLocationScreen>
  );
}
