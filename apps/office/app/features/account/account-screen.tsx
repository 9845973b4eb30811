import type { Account } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Card } from '@brightpane/ui/card.tsx';
import { formText } from '@brightpane/ui/form-text';
import { PasswordField } from '@brightpane/ui/password-field.tsx';
import { SubmitButton } from '@brightpane/ui/submit-button.tsx';
import { useMe } from '../../lib/use-me.ts';
import { ActForm } from '../../ui/act-form.tsx';
import { OfficeTitle } from '../../ui/office-title.tsx';
import { useAct } from '../../ui/use-act.ts';
import { FactorList } from './factor-list.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SearchSwitch } from './search-switch.tsx';
import { SessionList } from './session-list.tsx';

/** `/office/settings/account`: what a person does about her own access. */
export function AccountScreen({ account }: { account: Account }) {
  const { email } = useMe();
  const act = useAct();
  return (
    <div className="screen">
      <OfficeTitle title="Your account" />
      <FactorList factors={account.factors} />
      <RecoveryCodesCard left={account.recoveryCodesLeft} />
      <Card title="Password">
        <ActForm
          className="act-form settings-form"
          act={(form) =>
            act(
              OFFICE_ENDPOINTS.changePassword,
              { body: { password: formText(form, 'password') }, stepUp: 'Set a new password' },
              () => 'Your password was set.',
            )
          }
        >
          {({ isPending, errors }) => (
            <>
              <input type="text" autoComplete="username" value={email} readOnly hidden />
              <PasswordField
                label="New password"
                autoComplete="new-password"
                minLength={12}
                errors={errors.password}
              />
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
