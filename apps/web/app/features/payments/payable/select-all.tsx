import { startTransition, useId, useOptimistic } from 'react';

/**
 * Chooses every invoice that is shown, or none. Neither on nor off where some are selected. The box itself changes at once,
 * and hundreds of rows after it, in pieces that keep nobody waiting.
 */
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
  const [shown, show] = useOptimistic(selected);
  const choose = (isSelected: boolean) =>
    startTransition(() => {
      show(isSelected ? all : 0);
      onChange(isSelected);
    });
  return (
    <div className="check select-all">
      <input
        id={id}
        type="checkbox"
        className="form-check-input"
        checked={shown === all}
        ref={(box) => {
          if (box) box.indeterminate = shown > 0 && shown < all;
        }}
        onChange={(event) => choose(event.target.checked)}
      />
      <label htmlFor={id}>
        Select all invoices
        <span className="quiet figures" aria-hidden="true">
          {' '}
          {shown} of {all}
        </span>
      </label>
    </div>
  );
}
