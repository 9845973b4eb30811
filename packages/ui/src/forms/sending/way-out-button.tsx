import type { ReactNode } from 'react';
import { useIsSending } from './sending.ts';

/** Leads away from the forms beside it. Disabled while one of them is being sent. */
export function WayOutButton({
  className = 'btn btn-quiet',
  onClick,
  children,
}: {
  className?: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <button type="button" className={className} disabled={useIsSending()} onClick={onClick}>
      {children}
    </button>
  );
}
