import type { Me } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { formText } from '@brightpane/ui/forms/form-text';
import { PasswordField } from '@brightpane/ui/forms/password-field.tsx';
import { WayOutButton } from '@brightpane/ui/forms/sending/way-out-button.tsx';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { type ReactNode, useState } from 'react';
import { callOffice } from '../../../lib/api-client.ts';
import { leaveFor } from '../../../lib/leave-page.ts';
import { changedMe } from '../../../lib/me/me-stale.ts';
import type { SignInAgain } from '../../../lib/questions.ts';
import { ActForm } from '../../../ui/act/act-form.tsx';
import { EmailText } from '../../../ui/facts/email-text.tsx';
import { resultOf } from '../auth-result.ts';
import { type Method, SecondFactorForms } from '../factors/second-factor.tsx';
import { showPassword } from '../show-password.ts';

/**
 * **Sign in again** over the screen, when the session is over and typed text would be lost. Escape doesn't close it.
 * If a different person signs in, the page reloads.
 */
export function SignInAgainDialog({
  question,
  email,
  isDemo,
}: {
  question: SignInAgain;
  email: string;
  isDemo: boolean;
}) {
  const [round, setRound] = useState(0);
  const [methods, setMethods] = useState<Method[] | null>(null);
  const signedIn = (me: Me) => {
    if (me.email !== email) return leaveFor('/office/');
    changedMe();
    question.answer(true);
  };
  return (
    <Dialog key={round} title="Sign in again" isOpen onClose={() => setRound(round + 1)}>
      <p>Your session has ended. What you typed is still here.</p>
      {isDemo ? (
        <Elsewhere onSignedIn={signedIn} />
      ) : methods === null ? (
        <Password email={email} onStarted={setMethods} />
      ) : (
        <SecondFactorForms methods={methods} onSignedIn={signedIn} />
      )}
      <div className="button-row">
        {methods !== null && <WayOutButton onClick={() => setMethods(null)}>Start again</WayOutButton>}
        <WayOutButton onClick={() => question.answer(null)}>Leave this screen</WayOutButton>
      </div>
    </Dialog>
  );
}

function Password({ email, onStarted }: { email: string; onStarted: (methods: Method[]) => void }) {
  return (
    <ActForm act={(form) => showPassword({ email, password: formText(form, 'password') }, onStarted)}>
      {({ isPending, errors }) => (
        <>
          <p>
            For{' '}
            <strong>
              <EmailText email={email} />
            </strong>
          </p>
          <PasswordField username={email} autoComplete="current-password" errors={errors.password} />
          <SubmitButton isPending={isPending}>Sign in</SubmitButton>
        </>
      )}
    </ActForm>
  );
}

/** Demo people have no password: a link signs them in, in another tab. */
function Elsewhere({ onSignedIn }: { onSignedIn: (me: Me) => void }): ReactNode {
  return (
    <ActForm
      act={async () => resultOf(await callOffice<Me>(OFFICE_ENDPOINTS.me, { isAnonymous: true }), onSignedIn)}
    >
      {({ isPending }) => (
        <>
          <p>
            Open a new demo link in another tab: <code>npm run portal -- staff demo-link</code>
          </p>
          <SubmitButton isPending={isPending}>I have signed in</SubmitButton>
        </>
      )}
    </ActForm>
  );
}
