import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRevalidator } from 'react-router';
import { callOffice, hasCode, type OfficeCall, type OfficeCallOptions } from '../../lib/api-client.ts';
import { refusedResult } from '../../lib/refusal.ts';

/** An act of a screen: the call, and on success the screen's data loaded anew before the button is free. */
export function useAct() {
  const { revalidate } = useRevalidator();
  return async function act<Data = undefined>(
    call: OfficeCall,
    options: OfficeCallOptions,
    then: (data: Data) => string | undefined = () => undefined,
  ): Promise<ActionResult> {
    const answer = await callOffice<Data>(call, options);
    if (!answer.ok) {
      // What somebody else has saved is shown beside what was typed; the next press saves upon it.
      if (hasCode(answer.problem, 'EditedMeanwhile')) await revalidate();
      return refusedResult(answer.problem);
    }
    const message = then(answer.data) ?? '';
    await revalidate();
    return { success: true, message };
  };
}
