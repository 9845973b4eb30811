import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A question that has to be answered first. Escape and a click beside it close it, but for one that shows what is not
 * shown again.
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
  /** A button in it closes it, and nothing else. */
  isShownOnce?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  // A browser asks before the first Escape, and closes at the second without asking.
  const leave = () => (isShownOnce ? isOpen && dialog.current?.showModal() : onClose());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape, which the element handles itself.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // Before the element closes: a press that opens it again may come ahead of its `close` event, which is then old news.
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
