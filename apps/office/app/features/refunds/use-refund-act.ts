import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRevalidator } from 'react-router';
import { callOffice, type OfficeCall, type OfficeCallOptions } from '../../lib/api-client.ts';
import { DONE } from '../../ui/act/act-form.tsx';
import { refusedRefund } from '../../ui/refund/refund-refusal.ts';

/** Does an act on a refund. After a success it reloads the screen; after a refusal its `ActDialog` does. */
export function useRefundAct() {
  const { revalidate } = useRevalidator();
  return async function act<Data>(
    call: OfficeCall,
    options: OfficeCallOptions,
    then: (data: Data) => void = () => {},
  ): Promise<ActionResult> {
    const answer = await callOffice<Data>(call, options);
    if (!answer.ok) return refusedRefund(answer.problem);
    then(answer.data);
    await revalidate();
    return DONE;
  };
}
