import { LeaveDialog } from '@brightpane/ui/page/dialog/leave-dialog.tsx';

/** Asks before somebody leaves a payment that is under way. */
export function LeavePayment({ mayLeave }: { mayLeave?: () => boolean }) {
  return (
    <LeaveDialog {...(mayLeave && { mayLeave })}>
      Your payment is still being made. If you leave, you do not see whether it went through.
    </LeaveDialog>
  );
}
