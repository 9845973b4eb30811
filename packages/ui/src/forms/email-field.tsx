import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

/**
 * An account's email address. The type is text, because browsers refuse some valid addresses as `email`;
 * the server decides.
 */
export function EmailField(field: Omit<ComponentProps<typeof FormField>, 'label' | 'name'>) {
  return (
    <FormField
      {...field}
      label="Email"
      name="email"
      type="text"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
