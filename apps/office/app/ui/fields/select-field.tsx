import { FieldErrorList } from '@brightpane/ui/forms/field-error-list.tsx';
import { type Ref, type SelectHTMLAttributes, useId } from 'react';

/** A labeled select with its help text and errors. */
export function SelectField({
  label,
  options,
  help,
  errors = [],
  ...select
}: {
  label: string;
  options: { value: string; text: string }[];
  help?: string;
  errors?: string[] | undefined;
  ref?: Ref<HTMLSelectElement>;
} & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const describedBy = [help ? `${id}-help` : '', errors.length > 0 ? `${id}-errors` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className="form-select"
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={describedBy || undefined}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {help && (
        <div id={`${id}-help`} className="form-text">
          {help}
        </div>
      )}
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </div>
  );
}
