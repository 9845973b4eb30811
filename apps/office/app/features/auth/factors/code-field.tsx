import { FormField } from '@brightpane/ui/forms/form-field.tsx';
import { useRef } from 'react';

/** An app's six digits. Submits the form by itself, once, when they are complete. */
export function CodeField({ errors }: { errors: string[] | undefined }) {
  const sent = useRef('');
  return (
    <FormField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      help="The six digits that your app shows now."
      errors={errors}
      onChange={({ target }) => {
        const code = digitsOf(target.value);
        if (code.length !== 6 || sent.current === code) return;
        sent.current = code;
        target.form?.requestSubmit();
      }}
    />
  );
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
