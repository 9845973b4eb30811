import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A question that blocks the page until it is answered. Escape and a click outside close it, unless it shows
 * something that is shown only once.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  isShownOnce = false,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Only a button inside closes it. */
  isShownOnce?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  // Browsers fire `cancel` at the first Escape and close without asking at the second, so open it again.
  const leave = () => (isShownOnce ? isOpen && dialog.current?.showModal() : onClose());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape, which the element handles itself.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // Tell the owner before the element closes: a press may reopen the dialog before the stale `close` event arrives.
      onCancel={(event) => (isShownOnce ? event.preventDefault() : onClose())}
      onClose={() => dialog.current?.open || leave()}
      onClick={(event) => event.target === dialog.current && !isShownOnce && onClose()}
    >
      <div className="dialog-content">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
