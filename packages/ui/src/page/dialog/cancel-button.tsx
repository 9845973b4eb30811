import { useContext } from 'react';
import { DialogContext } from './dialog-context.ts';

/** Closes the dialog that it stands in. Disabled while a form inside is being sent: its outcome would be lost. */
export function CancelButton({ className = 'btn btn-quiet' }: { className?: string }) {
  const dialog = useContext(DialogContext);
  return (
    <button type="button" className={className} disabled={dialog?.isSending} onClick={dialog?.onClose}>
      Cancel
    </button>
  );
}
