import { useId } from 'react';

/** Chooses every invoice that is shown, or none. Neither on nor off where some are chosen. */
export function SelectAll({
  selected,
  all,
  onChange,
}: {
  selected: number;
  all: number;
  onChange: (isSelected: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="check select-all">
      <input
        id={id}
        type="checkbox"
        className="form-check-input"
        checked={selected === all}
        ref={(box) => {
          if (box) box.indeterminate = selected > 0 && selected < all;
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        Select all invoices
        <span className="quiet figures" aria-hidden="true">
          {' '}
          {selected} of {all}
        </span>
      </label>
    </div>
  );
}
