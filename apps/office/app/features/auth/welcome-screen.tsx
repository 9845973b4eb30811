import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { callOffice } from '../../lib/api-client.ts';
import { ActForm } from '../../ui/act/act-form.tsx';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { AuthColumn } from './auth-column.tsx';
import { resultOf } from './auth-result.ts';
import { AddFactor } from './factors/add-factor.tsx';
import { RecoveryCodes } from './factors/recovery-codes.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const STEPS = ['Your name and password', 'Second factor', 'Recovery codes'];

/** `/office/welcome`: from the mail's link to the console in three steps. */
export function WelcomeScreen({ link: { email, token } }: { link: MailLink }) {
  const [step, setStep] = useState(0);
  const [codes, setCodes] = useState<string[]>([]);
  const navigate = useNavigate();

  if (email === null || token === null) {
    return (
      <AuthColumn
        title="Welcome to the office"
        footer={
          <Link className="auth-link" to="/sign-in">
            Sign in
          </Link>
        }
      >
        <Alert tone="danger">This link is not complete.</Alert>
        <p>Open it from the mail once more. If that does not help, ask whoever added you for a new one.</p>
      </AuthColumn>
    );
  }
  return (
    <AuthColumn
      title="Welcome to the office"
      lead={
        <>
          For{' '}
          <strong>
            <EmailText email={email} />
          </strong>
        </>
      }
    >
      <Steps at={step} />
      {step === 0 && (
        <Step title={STEPS[0]}>
          <ActForm
            className="auth-form"
            act={async (form) => {
              const body = {
                email,
                token,
                firstName: formText(form, 'firstName').trim(),
                lastName: formText(form, 'lastName').trim(),
                password: formText(form, 'password'),
              };
              return resultOf(await callOffice(OFFICE_ENDPOINTS.welcome, { body, isAnonymous: true }), () =>
                setStep(1),
              );
            }}
          >
            {({ isPending, errors }) => (
              <>
                <FormField
                  label="First name"
                  name="firstName"
                  autoComplete="given-name"
                  errors={errors.firstName}
                />
                <FormField
                  label="Last name"
                  name="lastName"
                  autoComplete="family-name"
                  errors={errors.lastName}
                />
                <NewPasswordField email={email} label="Password" errors={errors.password} />
                <SubmitButton isPending={isPending}>Continue</SubmitButton>
              </>
            )}
          </ActForm>
        </Step>
      )}
      {step === 1 && (
        <Step title={STEPS[1]}>
          <p>A password alone opens nothing here. Choose what you confirm it with.</p>
          <AddFactor
            onAdded={({ recoveryCodes = [] }) => {
              setCodes(recoveryCodes);
              setStep(2);
            }}
          />
        </Step>
      )}
      {step === 2 && (
        <Step title={STEPS[2]}>
          <p>
            Each of these codes opens the console once, should you lose your phone. They are not shown again.
          </p>
          <RecoveryCodes codes={codes}>
            {(isKept) => (
              <button
                type="button"
                className="btn btn-primary"
                disabled={!isKept}
                onClick={() => void navigate('/', { replace: true })}
              >
                Open the console
              </button>
            )}
          </RecoveryCodes>
        </Step>
      )}
    </AuthColumn>
  );
}

function Steps({ at }: { at: number }) {
  return (
    <ol className="steps" aria-label="Steps">
      {STEPS.map((text, index) => (
        <li key={text} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          {text}
        </li>
      ))}
    </ol>
  );
}

/** Focuses each step's heading when it replaces the previous step. */
function Step({ title, children }: { title: string | undefined; children: ReactNode }) {
  return (
    <section className="step">
      <h2
        tabIndex={-1}
        ref={(heading) => {
          if (title !== STEPS[0]) heading?.focus();
        }}
      >
        {title}
      </h2>
      {children}
    </section>
  );
}
