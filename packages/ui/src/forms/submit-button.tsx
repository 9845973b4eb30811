import { type ReactNode, useContext, useLayoutEffect } from 'react';
import { DialogContext } from '../page/dialog/dialog-context.ts';

/** Disabled and spinning while its form is being sent, which keeps a dialog around it open; its width never changes. */
export function SubmitButton({
  children,
  isPending,
  pendingText,
  disabled = false,
  className = 'btn btn-primary',
  ...button
}: {
  children: ReactNode;
  isPending: boolean;
  /** Replaces the text while pending; without it the text stays. */
  pendingText?: string;
  disabled?: boolean;
  className?: string;
  name?: string;
  value?: string;
  form?: string;
}) {
  const setSending = useContext(DialogContext)?.setSending;
  // A layout effect, so that no press comes in between.
  useLayoutEffect(() => {
    if (!isPending || !setSending) return;
    setSending((count) => count + 1);
    return () => setSending((count) => count - 1);
  }, [isPending, setSending]);
  return (
    <button
      {...button}
      type="submit"
      className={`${className} submit-button`}
      disabled={disabled || isPending}
      aria-busy={isPending}
    >
      <span className="submit-button-words" data-hidden={isPending && pendingText !== undefined}>
        {children}
      </span>
      {isPending && (
        <span className="submit-button-pending">
          <span className="spinner-border spinner-border-sm" aria-hidden="true" />
          {pendingText}
        </span>
      )}
    </button>
  );
}
