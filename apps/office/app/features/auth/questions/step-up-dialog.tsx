import type { StepUpAnswer } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { CancelButton } from '@brightpane/ui/page/dialog/cancel-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { callOffice } from '../../../lib/api-client.ts';
import type { StepUp } from '../../../lib/questions.ts';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { resultOf } from '../auth-result.ts';
import { CodeForm } from '../factors/code-form.tsx';
import { PasskeyButton } from '../factors/passkey-button.tsx';
import { provePasskey } from '../factors/passkeys.ts';

/** **Confirm it is you**: names the act, takes a second factor and lets the act continue. */
export function StepUpDialog({ question, isDemo }: { question: StepUp; isDemo: boolean }) {
  const { act, words, answer } = question;
  const confirmed = (reply: Answer<StepUpAnswer> | 'left'): Promise<ActionResult> =>
    resultOf(reply, ({ stepUp }) => answer(stepUp));
  return (
    <Dialog title="Confirm it is you" isOpen onClose={() => answer(null)}>
      <p className="step-up-act">{words}</p>
      {isDemo && (
        <ActForm
          act={async () =>
            confirmed(await callOffice<StepUpAnswer>(OFFICE_ENDPOINTS.stepUpAsDemo, { body: { act } }))
          }
        >
          {({ isPending }) => <SubmitButton isPending={isPending}>Confirm as the demo</SubmitButton>}
        </ActForm>
      )}
      {!isDemo && (
        <CodeForm
          act={async (code) =>
            confirmed(await callOffice<StepUpAnswer>(OFFICE_ENDPOINTS.stepUpByCode, { body: { code, act } }))
          }
        />
      )}
      <div className="button-row">
        {!isDemo && (
          <PasskeyButton act={async () => confirmed(await provePasskey<StepUpAnswer>(PASSKEY, { act }))}>
            Use a passkey
          </PasskeyButton>
        )}
        <CancelButton />
      </div>
    </Dialog>
  );
}

const PASSKEY = { options: OFFICE_ENDPOINTS.stepUpPasskeyOptions, confirm: OFFICE_ENDPOINTS.stepUpByPasskey };
