import { FieldErrorList, fieldAria } from '@brightpane/ui/forms/field-error-list.tsx';
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
  return (
    <div className="field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className="form-select" {...fieldAria(id, help, errors)}>
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
