import type { Answer } from '@brightpane/ui/forms/ask-server';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { refusedResult } from '../../lib/refusal.ts';
import { DONE } from '../../ui/act/act-form.tsx';
import { PASSKEY_LEFT } from './factors/passkeys.ts';

/** The form's outcome for a call's answer; on success it runs `then`. */
export async function resultOf<Data>(
  answer: Answer<Data> | 'left',
  then: (data: Data) => void | Promise<void>,
): Promise<ActionResult> {
  if (answer === 'left') return { success: false, message: PASSKEY_LEFT };
  if (!answer.ok) return refusedResult(answer.problem);
  await then(answer.data);
  return DONE;
}
