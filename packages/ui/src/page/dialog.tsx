import { type ReactNode, useEffect, useId, useRef } from 'react';

/** A question that has to be answered first. Escape and a click beside it close it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape, which the element handles itself.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // Before the element closes: a press that opens it again may come ahead of its `close` event, which is then old news.
      onCancel={onClose}
      onClose={() => dialog.current?.open || onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-content">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
