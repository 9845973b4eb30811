import type { Payment } from '@brightpane/contract/office/payments';
import { useId, useState } from 'react';
import { RefundDialog } from './refund-dialog.tsx';
import { whyNotRefundable } from './why-not.ts';

/** **Refund**, or why nothing can be refunded. */
export function RefundButton({ payment }: { payment: Payment }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const reason = whyNotRefundable(payment);
  return (
    <>
      {reason === null ? (
        <button type="button" className="btn btn-outline" onClick={() => setIsOpen(true)}>
          Refund
        </button>
      ) : (
        <div className="not-possible">
          <button type="button" className="btn btn-outline" disabled aria-describedby={id}>
            Refund
          </button>
          <span id={id} className="quiet">
            {reason}
          </span>
        </div>
      )}
      <RefundDialog payment={payment} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
