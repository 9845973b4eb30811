import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

/**
 * The address an account goes by. Its type is text: a browser's own idea of an address refuses some that exist, and
 * whether this is one is the server's to say.
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
