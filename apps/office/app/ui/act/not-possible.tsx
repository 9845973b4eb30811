import { useId } from 'react';

/** The disabled button of an act, and why it isn't possible. */
export function NotPossible({ button, reason }: { button: string; reason: string }) {
  const id = useId();
  return (
    <div className="not-possible">
      <button type="button" className="btn btn-outline" disabled aria-describedby={id}>
        {button}
      </button>
      <span id={id} className="quiet">
        {reason}
      </span>
    </div>
  );
}
