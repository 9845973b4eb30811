import { FieldErrorList } from '@brightpane/ui/forms/field-error-list.tsx';
import { Skeleton } from '@brightpane/ui/page/skeleton.tsx';
import { useEffect, useRef } from 'react';
import type { CardEntryHandle } from './use-card-entry.ts';

/** Where the card is typed. The frame belongs to the card processor, and we never see its content. */
export function CardField({
  card,
  isLocked,
  errors: serverErrors = [],
}: {
  card: CardEntryHandle;
  isLocked: boolean;
  /** What the server finds wrong with the card. The outcome is announced; these only stand under the field. */
  errors?: string[] | undefined;
}) {
  const { state, containerId, reload } = card;
  const errors = [...card.errors, ...serverErrors];
  const field = useRef<HTMLFieldSetElement>(null);
  const shown = useRef<object | null>(null);

  // The frame focuses a field that is wrong. Another failure may be out of sight, and the focus gone with the button.
  useEffect(() => {
    const { current } = field;
    // The form unlocks in a later render, and what is locked takes no focus.
    if (card.failure === shown.current || !current || current.matches(':disabled')) return;
    shown.current = card.failure;
    if (current.contains(document.activeElement)) return;
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: 'center' });
  });

  /** The button goes away, so the focus it has moves on to what it reloads. */
  function tryAgain() {
    field.current?.focus();
    reload();
  }

  return (
    <fieldset
      ref={field}
      tabIndex={-1}
      className="card-field"
      data-sentry-block
      aria-describedby={errors.length > 0 ? `${containerId}-errors` : undefined}
    >
      <legend className="form-label">Card details</legend>
      {state === 'closed' && (
        <p className="notice notice-warning">
          This office does not take cards online yet. Please call it to pay.
        </p>
      )}
      {state === 'failed' && (
        <div className="notice notice-danger" role="alert">
          <p>
            The card field did not load. Check your connection, or allow the card processor in your browser.
          </p>
          <button type="button" className="btn btn-outline" onClick={tryAgain}>
            Try again
          </button>
        </div>
      )}
      {state === 'loading' && (
        <p className="visually-hidden" role="status">
          Loading the card field…
        </p>
      )}
      <div className="card-frame" data-state={state} inert={isLocked || state !== 'ready'}>
        {state === 'loading' && <Skeleton shape="field" />}
        <div id={containerId} className="card-frame-body" />
      </div>
      {errors.length > 0 && (
        <div role={card.errors.length > 0 ? 'alert' : undefined}>
          <FieldErrorList id={`${containerId}-errors`} errors={errors} />
        </div>
      )}
      {state !== 'closed' && (
        <p className="card-promise">
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M4.500 7V5a3.500 3.500 0 0 1 7 0v2M3 7h10v7H3z" />
          </svg>
          Your card goes straight to USAePay, the card processor. Its number never reaches us.
        </p>
      )}
    </fieldset>
  );
}
