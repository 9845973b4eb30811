import { type RefObject, useEffect, useRef } from 'react';

/**
 * When somebody else has saved this form's data, updates the untouched fields and keeps what was typed.
 * `version` changes with the saved data.
 */
export function useSavedValues(form: RefObject<HTMLFormElement | null>, version: number | string): void {
  const saved = useRef(new Map<string, string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields' own defaults are new with the version.
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
      if (field.value === saved.current.get(field.name)) field.value = field.defaultValue;
      saved.current.set(field.name, field.defaultValue);
    }
  }, [version, form]);
}
