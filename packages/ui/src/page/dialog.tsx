import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { SendingContext, useSending } from '../forms/sending/sending.ts';
import { DialogContext } from './dialog/dialog-context.ts';
import { focusTitleIfLost } from './focus-soon.ts';

/**
 * A question that blocks the page until it is answered. Escape and a click outside close it, unless it shows
 * something that is shown only once, or a form inside is being sent: its outcome would be lost.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  isShownOnce = false,
  isLong = false,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Only a button inside closes it. */
  isShownOnce?: boolean;
  /** Begins at its title: the browser would focus the first field, and scroll past what is to be read before. */
  isLong?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isPressedOutside = useRef(false);
  const wasOpened = useRef(false);
  const sending = useSending();
  const id = useId();
  useEffect(() => {
    if (!isOpen) return dialog.current?.close();
    dialog.current?.showModal();
    wasOpened.current = true;
    if (isLong) heading.current?.focus();
  }, [isOpen, isLong]);
  // Only closing gives the focus back to what opened it. A layout effect, because it runs before the element is removed.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => {
      if (element?.open) element.close();
      if (wasOpened.current) focusTitleIfLost();
    };
  }, []);
  const mustStay = isShownOnce || sending.isSending;
  // Browsers fire `cancel` at the first Escape and close without asking at the second, so open it again.
  const leave = () => (mustStay ? isOpen && dialog.current?.showModal() : onClose());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape, which the element handles itself.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // Tell the owner before the element closes: a press may reopen the dialog before the stale `close` event arrives.
      onCancel={(event) => (mustStay ? event.preventDefault() : onClose())}
      onClose={() => dialog.current?.open || leave()}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === dialog.current;
      }}
      // A drag out of the dialog, as when text is selected, ends in a click on it too.
      onClick={(event) =>
        event.target === dialog.current && isPressedOutside.current && !mustStay && onClose()
      }
    >
      <div className="dialog-content">
        <h2 id={id} ref={heading} tabIndex={isLong ? -1 : undefined}>
          {title}
        </h2>
        <SendingContext value={sending}>
          <DialogContext value={onClose}>{children}</DialogContext>
        </SendingContext>
      </div>
    </dialog>
  );
}
