import type { Payment } from '@brightpane/contract/office/payments';
import { useState } from 'react';
import { useRight } from '../../lib/me/use-me.ts';
import { NotPossible } from '../../ui/act/not-possible.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { RefundDialog } from '../../ui/refund/refund-dialog.tsx';
import { whyNotRefundable } from '../../ui/refund/why-not.ts';
import { SendReceipt, whyNoReceipt } from './send-receipt.tsx';

/**
 * **Refund**, **Send receipt** and **Copy link**. What is not possible stands apart, with its reason: on a phone the bar
 * at the foot holds only what can be pressed.
 */
export function PaymentActs({ payment }: { payment: Payment }) {
  const [isRefunding, setIsRefunding] = useState(false);
  const mayRefund = useRight('refund');
  const maySend = useRight('invite');
  const noRefund = mayRefund ? whyNotRefundable(payment) : null;
  const noReceipt = maySend ? whyNoReceipt(payment.shares) : null;
  return (
    <div className="screen-acts">
      {(noRefund ?? noReceipt) !== null && (
        <div className="screen-actions">
          {noRefund !== null && <NotPossible button="Refund" reason={noRefund} />}
          {noReceipt !== null && <NotPossible button="Send receipt" reason={noReceipt} />}
        </div>
      )}
      <div className="screen-actions foot-bar">
        <CopyButton text={window.location.href} words="Copy link" />
        {mayRefund && noRefund === null && (
          <button type="button" className="btn btn-outline" onClick={() => setIsRefunding(true)}>
            Refund
          </button>
        )}
        {maySend && noReceipt === null && <SendReceipt payment={payment} />}
      </div>
      <RefundDialog payment={payment} isOpen={isRefunding} onClose={() => setIsRefunding(false)} />
    </div>
  );
}
