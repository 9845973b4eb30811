import { Checkbox } from '@brightpane/ui/forms/checkbox.tsx';
import { FieldErrorList } from '@brightpane/ui/forms/field-error-list.tsx';
import { useId, useRef } from 'react';
import { useSavedValues } from '../act/use-saved-values.ts';

/** Checkboxes under one name. A long list scrolls by itself. */
export function CheckboxList({
  legend,
  name,
  choices,
  chosen,
  errors = [],
}: {
  legend: string;
  name: string;
  choices: { value: string; text: string }[];
  chosen: readonly string[];
  errors?: string[] | undefined;
}) {
  const id = useId();
  const boxes = useRef<HTMLFieldSetElement>(null);
  useSavedValues(boxes, chosen.join(' '));
  return (
    <fieldset ref={boxes} className="checkbox-list" aria-describedby={errors.length > 0 ? id : undefined}>
      <legend className="form-label">{legend}</legend>
      <div className="checkbox-list-boxes">
        {choices.map(({ value, text }) => (
          <Checkbox
            key={value}
            name={name}
            value={value}
            label={text}
            defaultChecked={chosen.includes(value)}
          />
        ))}
      </div>
      <FieldErrorList id={id} errors={errors} />
    </fieldset>
  );
}
