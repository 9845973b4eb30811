import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { FieldErrorList, fieldAria } from './field-error-list.tsx';

/** A labeled input with its help text and errors. */
export function FormField({
  label,
  help,
  errors = [],
  optional = false,
  prefix,
  suffix,
  className = '',
  id: givenId,
  ...input
}: {
  label: string;
  help?: ReactNode;
  errors?: string[] | undefined;
  /** Marks the label as optional; every other field is required. */
  optional?: boolean;
  /** Inside the field, before the text: a currency sign. */
  prefix?: string;
  /** Inside the field, at its end: a button that belongs to it. */
  suffix?: ReactNode;
  ref?: Ref<HTMLInputElement>;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'prefix'>) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const control = (
    <input
      required={!optional}
      // Scrolling over a number field would change it unnoticed.
      onWheel={input.type === 'number' ? (event) => event.currentTarget.blur() : undefined}
      {...input}
      id={id}
      className={`form-control ${errors.length > 0 ? 'is-invalid' : ''}`}
      {...fieldAria(id, help, errors)}
    />
  );
  return (
    <div className={`field ${className}`}>
      <label className="form-label" htmlFor={id}>
        {label}
        {optional && <span className="field-optional"> (optional)</span>}
      </label>
      {prefix || suffix ? (
        <div className="field-affix">
          {prefix && <span aria-hidden="true">{prefix}</span>}
          {control}
          {suffix}
        </div>
      ) : (
        control
      )}
      {help && (
        <div id={`${id}-help`} className="form-text">
          {help}
        </div>
      )}
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </div>
  );
}
