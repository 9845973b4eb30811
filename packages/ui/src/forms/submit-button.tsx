import { type ReactNode, useContext, useLayoutEffect } from 'react';
import { SendingContext } from './sending/sending.ts';

/**
 * Disabled and spinning while its form is being sent, which keeps a dialog around it open; disabled while another form
 * of the same dialog or column is: the outcome of one would replace the other. Its width never changes.
 */
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
}) {
  const { isSending = false, setSending } = useContext(SendingContext) ?? {};
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
      disabled={disabled || isPending || isSending}
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
