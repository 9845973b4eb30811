import { FieldErrorList } from '@brightpane/ui/forms/field-error-list.tsx';
import { useId } from 'react';

export type RadioChoice = {
  value: string;
  text: string;
  /** The key that selects it while the focus is in the form, but not in a text field. */
  pressed?: string;
};

/** Radio buttons. Without `chosen` none is selected, and the form requires one. */
export function RadioList({
  legend,
  name,
  choices,
  chosen,
  errors = [],
}: {
  legend: string;
  name: string;
  choices: RadioChoice[];
  chosen?: string;
  errors?: string[] | undefined;
}) {
  const id = useId();
  return (
    <fieldset className="radio-list" aria-describedby={errors.length > 0 ? `${id}-errors` : undefined}>
      <legend className="form-label">{legend}</legend>
      {choices.map(({ value, text, pressed }) => (
        <div key={value} className="check">
          <input
            type="radio"
            className="form-check-input"
            id={`${id}-${value}`}
            name={name}
            value={value}
            defaultChecked={value === chosen}
            required
            aria-keyshortcuts={pressed}
            data-pressed={pressed}
          />
          <label htmlFor={`${id}-${value}`}>{text}</label>
          {pressed !== undefined && (
            <span className="key" aria-hidden="true">
              {pressed}
            </span>
          )}
        </div>
      ))}
      <FieldErrorList id={`${id}-errors`} errors={errors} />
    </fieldset>
  );
}
