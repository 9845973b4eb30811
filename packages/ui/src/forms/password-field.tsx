import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import { useState } from 'react';
import { FormField } from './form-field.tsx';

/** A password with a button to show it. Password managers and pasting work. */
export function PasswordField({
  username,
  label = 'Password',
  name = 'password',
  autoComplete,
  minLength = SHORTEST_PASSWORD.account,
  errors,
}: {
  /** Whose password it is, for password managers. Leave it out only in a form that has a field for it. */
  username?: string;
  label?: string;
  name?: string;
  /** Shown below a new password; the server decides. */
  minLength?: number;
  autoComplete: 'current-password' | 'new-password';
  errors?: string[] | undefined;
}) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      {username !== undefined && (
        <input type="text" autoComplete="username" value={username} readOnly hidden />
      )}
      <FormField
        label={label}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        help={autoComplete === 'new-password' ? newPasswordHelp(minLength) : undefined}
        errors={errors}
        suffix={
          <button type="button" className="btn btn-quiet" onClick={() => setIsShown(!isShown)}>
            <span>{isShown ? 'Hide' : 'Show'}</span>
            <span className="visually-hidden"> password</span>
          </button>
        }
      />
    </>
  );
}

const newPasswordHelp = (minLength: number) =>
  `At least ${minLength} characters. A few words together are easy to remember.`;
