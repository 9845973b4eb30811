import { formText } from '@brightpane/ui/forms/form-text';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useSearchParams } from 'react-router';
import { areComplete, readSearchNumbers } from '../../features/invoice-search/three-numbers.ts';
import { addLocation } from '../../features/locations/add-location.ts';
import { AddLocationScreen } from '../../features/locations/add-location-screen.tsx';
import { WhereTheNumbersAre } from '../../features/quick-pay/where-the-numbers-are.tsx';
import type { ScannedState } from '../../features/scanned-invoice/scanned-state.ts';
import { sessionUserId } from '../../lib/session/session.ts';
import type { Route } from './+types/add-location.ts';

export async function clientAction({ request }: Route.ClientActionArgs): Promise<ActionResult> {
  const form = await request.formData();
  const numbers = readSearchNumbers({ get: (name) => formText(form, name) });
  const result = await addLocation(numbers);
  // People who came by an invoice's code want to pay it.
  const cameByCode = areComplete(readSearchNumbers(new URL(request.url).searchParams));
  const userId = sessionUserId();
  if (!result.goTo || !cameByCode || userId === null) return result;
  // In the entry from the start: replaced, it would be another one, and say "Location added" anew.
  const scanned: ScannedState = { scanned: { userId, search: `?${new URLSearchParams(numbers)}` } };
  return { ...result, goTo: { ...result.goTo, state: { ...result.goTo.state, ...scanned } } };
}

export default function AddLocation() {
  const [query] = useSearchParams();
  return (
    <AddLocationScreen numbers={readSearchNumbers(query)}>
      <WhereTheNumbersAre />
    </AddLocationScreen>
  );
}
