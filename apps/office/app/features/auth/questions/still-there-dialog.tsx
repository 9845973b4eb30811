import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { callOffice } from '../../../lib/api-client.ts';
import type { StillThere } from '../../../lib/questions.ts';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { resultOf } from '../auth-result.ts';
import { CodeForm } from '../factors/code-form.tsx';
import { PasskeyButton } from '../factors/passkey-button.tsx';
import { provePasskey } from '../factors/passkeys.ts';
import { signOut } from '../sign-out.ts';

/** **Still there?** over the screen, after 30 idle minutes. Escape doesn't close it; the screen keeps what was typed. */
export function StillThereDialog({ question }: { question: StillThere }) {
  const [round, setRound] = useState(0);
  async function resumed(answer: Answer<unknown> | 'left'): Promise<ActionResult> {
    // The session ended meanwhile, or too many codes were wrong.
    if (answer !== 'left' && !answer.ok && answer.problem.status === 401) question.answer(null);
    return resultOf(answer, () => question.answer(true));
  }
  return (
    <Dialog key={round} title="Still there?" isOpen onClose={() => setRound(round + 1)}>
      <p>You were away for a while. Please confirm that it is you.</p>
      <CodeForm
        act={async (code) =>
          resumed(await callOffice(OFFICE_ENDPOINTS.resume, { body: { code }, isAnonymous: true }))
        }
      />
      <div className="button-row">
        <PasskeyButton
          act={async () =>
            resumed(
              await provePasskey(
                { options: OFFICE_ENDPOINTS.passkeyOptions, confirm: OFFICE_ENDPOINTS.resume },
                {},
                { isAnonymous: true },
              ),
            )
          }
        >
          Use a passkey
        </PasskeyButton>
        <ActForm act={signOut}>
          {({ isPending }) => (
            <SubmitButton className="btn btn-quiet" isPending={isPending}>
              Sign out
            </SubmitButton>
          )}
        </ActForm>
      </div>
    </Dialog>
  );
}
