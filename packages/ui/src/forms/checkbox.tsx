import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { FieldErrorList } from './field-error-list.tsx';

/** A checkbox whose whole line can be pressed. */
export function Checkbox({
  label,
  errors = [],
  ...input
}: { label: ReactNode; errors?: string[] | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="check">
      <input
        {...input}
        id={id}
        type="checkbox"
        className="form-check-input"
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? `${id}-errors` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </div>
  );
}
