import { FieldErrorList, fieldAria } from '@brightpane/ui/forms/field-error-list.tsx';
import { type TextareaHTMLAttributes, useId } from 'react';

/** A labeled field for text of several lines, with its errors. */
export function LinesField({
  label,
  optional = false,
  errors = [],
  ...textarea
}: {
  label: string;
  /** Marks the label as optional; every other field is required. */
  optional?: boolean;
  errors?: string[] | undefined;
} & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className="field">
      <label className="form-label" htmlFor={id}>
        {label}
        {optional && <span className="field-optional"> (optional)</span>}
      </label>
      <textarea
        required={!optional}
        {...textarea}
        id={id}
        className={`form-control ${errors.length > 0 ? 'is-invalid' : ''}`}
        {...fieldAria(id, undefined, errors)}
      />
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </div>
  );
}
