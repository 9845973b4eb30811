import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

/**
 * An email address, the account's own unless `autoComplete` says otherwise. The type is text, because browsers refuse
 * some valid addresses as `email`; the server decides.
 */
export function EmailField({
  autoComplete = 'username',
  ...field
}: Omit<ComponentProps<typeof FormField>, 'label' | 'name'>) {
  return (
    <FormField
      {...field}
      label="Email"
      name="email"
      type="text"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
