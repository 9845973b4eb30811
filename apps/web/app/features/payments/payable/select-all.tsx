import { startTransition, useId, useOptimistic } from 'react';

/**
 * Selects every listed invoice, or none; indeterminate if some are selected. The box changes at once, and hundreds
 * of rows follow in a transition, so typing and clicks never wait.
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
          {` ${shown} of ${all}`}
        </span>
      </label>
    </div>
  );
}
