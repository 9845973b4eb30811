import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { formText } from '@brightpane/ui/forms/form-text';
import { SubmitButton } from '@brightpane/ui/forms/submit-button.tsx';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { useRef } from 'react';
import { ActForm } from '../../../ui/act/act-form.tsx';

/** Asks for an app's six digits. Submits itself, once, when they are complete. */
export function CodeForm({
  className = 'act-form',
  act,
}: {
  className?: string;
  act: (code: string) => Promise<ActionResult>;
}) {
  const sent = useRef('');
  return (
    <ActForm className={className} act={(form) => act(digitsOf(formText(form, 'code')))}>
      {({ isPending, errors }) => (
        <>
          <FormField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            help="The six digits that your app shows now."
            errors={errors.code}
            onChange={({ target }) => {
              const code = digitsOf(target.value);
              if (code.length !== 6 || sent.current === code) return;
              sent.current = code;
              target.form?.requestSubmit();
            }}
          />
          <SubmitButton isPending={isPending}>Confirm</SubmitButton>
        </>
      )}
    </ActForm>
  );
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
