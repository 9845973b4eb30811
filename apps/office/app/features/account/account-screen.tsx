import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { useRef } from 'react';
import { useMe } from '../../lib/me/use-me.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { useAct } from '../../ui/act/use-act.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { NewPasswordField } from '../auth/new-password-field.tsx';
import { FactorList } from './factor-list.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SearchSwitch } from './search-switch.tsx';
import { SessionList } from './session-list.tsx';

/** `/office/settings/account`: a person's own access. */
export function AccountScreen({ account }: { account: Account }) {
  const { email } = useMe();
  const act = useAct();
  const passwordForm = useRef<HTMLFormElement>(null);
  return (
    <div className="screen">
      <OfficeTitle title="Your account" />
      <FactorList factors={account.factors} />
      <RecoveryCodesCard left={account.recoveryCodesLeft} />
      <Card title="Password">
        <ActForm
          ref={passwordForm}
          className="act-form settings-form"
          act={(form) =>
            act(
              OFFICE_ENDPOINTS.changePassword,
              { body: { password: formText(form, 'password') }, stepUp: 'Set a new password' },
              () => {
                // The session is over. With nothing typed, the next call leads to the sign-in.
                passwordForm.current?.reset();
                return undefined;
              },
            )
          }
        >
          {({ isPending, errors }) => (
            <>
              <NewPasswordField email={email} errors={errors.password} />
              <p className="quiet">A new password ends all sessions: you sign in again with it.</p>
              <SubmitButton className="btn btn-outline" isPending={isPending}>
                Set password
              </SubmitButton>
            </>
          )}
        </ActForm>
      </Card>
      <SessionList sessions={account.sessions} />
      <SearchSwitch isOn={account.shortcuts} />
    </div>
  );
}
