import { useContext } from 'react';
import { WayOutButton } from '../../forms/sending/way-out-button.tsx';
import { DialogContext } from './dialog-context.ts';

/** Closes the dialog that it stands in. */
export function CancelButton({ className = 'btn btn-quiet' }: { className?: string }) {
  const close = useContext(DialogContext);
  return (
    <WayOutButton className={className} onClick={close ?? undefined}>
      Cancel
    </WayOutButton>
  );
}
