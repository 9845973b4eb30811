import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRevalidator } from 'react-router';
import { callOffice, hasCode, type OfficeCall, type OfficeCallOptions } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';
import { done } from './act-form.tsx';

/** Does an act of a screen. After a success it reloads the screen's data before it releases the button. */
export function useAct() {
  const { revalidate } = useRevalidator();
  return async function act<Data = undefined>(
    call: OfficeCall,
    options: OfficeCallOptions,
    then: (data: Data) => string | undefined = () => undefined,
  ): Promise<ActionResult> {
    const answer = await callOffice<Data>(call, options);
    if (!answer.ok) {
      // Load what somebody else has saved; the form keeps what was typed, and the next press saves on top.
      if (hasCode(answer.problem, 'EditedMeanwhile')) await revalidate();
      return refusedResult(answer.problem);
    }
    const message = then(answer.data) ?? '';
    await revalidate();
    return done(message);
  };
}
