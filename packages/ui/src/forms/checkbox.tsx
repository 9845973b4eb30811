import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { FieldErrorList, fieldAria } from './field-error-list.tsx';

/** A checkbox whose whole line can be pressed. */
export function Checkbox({
  label,
  help,
  errors = [],
  ...input
}: {
  label: ReactNode;
  help?: ReactNode;
  errors?: string[] | undefined;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="check">
      <input
        {...input}
        id={id}
        type="checkbox"
        className="form-check-input"
        {...fieldAria(id, help, errors)}
      />
      <label htmlFor={id}>{label}</label>
      {help && (
        <div id={`${id}-help`} className="form-text">
          {help}
        </div>
      )}
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </div>
  );
}
