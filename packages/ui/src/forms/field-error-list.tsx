import type { ReactNode } from 'react';

/** A field's errors: one as a sentence, several as a list. */
export function FieldErrorList({ id, errors }: { id: string; errors: string[] }) {
  if (errors.length === 0) return null;
  if (errors.length === 1) {
    return (
      <div id={id} className="field-errors">
        {errors[0]}
      </div>
    );
  }
  return (
    <ul id={id} className="field-errors">
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  );
}

/** Tells assistive technology of the help text and the errors below the field with this id. */
export function fieldAria(id: string, help: ReactNode, errors: string[]) {
  const describedBy = [help ? `${id}-help` : '', errors.length > 0 ? `${id}-errors` : '']
    .filter(Boolean)
    .join(' ');
  return { 'aria-invalid': errors.length > 0 || undefined, 'aria-describedby': describedBy || undefined };
}
