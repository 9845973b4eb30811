import { type RefObject, useEffect, useRef } from 'react';

/**
 * When somebody else has saved this form's data, updates the untouched fields and keeps what was typed.
 * `version` changes with the saved data.
 */
export function useSavedValues(
  form: RefObject<HTMLFormElement | HTMLFieldSetElement | null>,
  version: number | string,
): void {
  const saved = useRef(new Map<string, string | boolean>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields' own defaults are new with the version.
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        const box = `${field.name} ${field.value}`;
        if (field.checked === saved.current.get(box)) field.checked = field.defaultChecked;
        saved.current.set(box, field.defaultChecked);
      } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        if (field.value === saved.current.get(field.name)) field.value = field.defaultValue;
        saved.current.set(field.name, field.defaultValue);
      }
    }
  }, [version, form]);
}
