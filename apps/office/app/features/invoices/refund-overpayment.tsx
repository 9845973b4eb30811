import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { useState } from 'react';
import { callOffice } from '../../lib/api-client.ts';
import { NOT_HEARD_READING, refusalWords } from '../../lib/refusal.ts';
import { RefundDialog } from '../../ui/refund/refund-dialog.tsx';
import { keyOf } from '../../ui/refund/what-goes-back.ts';
import { findOverpaid } from './find-overpaid.ts';

/** Of the states in which the payment counts, or may still count, as paid. A failing one may. */
const PAID = ['paid', 'partly-refunded', 'failed'];

/** Why there is nothing to refund; only a call that failed is an error. */
type Reason = { tone: 'warning' | 'danger'; words: string };

/** **Refund overpayment**: from the invoice's newest card payment from which it can go back now. */
export function RefundOverpayment({ invoice }: { invoice: OfficeInvoice }) {
  const [payment, setPayment] = useState<Payment | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState<Reason | null>(null);
  const workOrder = keyOf(invoice);
  async function open() {
    setIsAsking(true);
    setReason(null);
    const found = await findPayment(invoice);
    setIsAsking(false);
    if ('tone' in found) setReason(found);
    else setPayment(found);
  }
  return (
    <>
      {reason && <Alert tone={reason.tone}>{reason.words}</Alert>}
      <button
        type="button"
        className="btn btn-outline"
        aria-disabled={isAsking}
        aria-busy={isAsking}
        onClick={() => isAsking || void open()}
      >
        Refund overpayment
      </button>
      {payment && (
        <RefundDialog
          payment={payment}
          start={{ shortcut: 'overpaid', workOrder }}
          isOpen
          onClose={() => setPayment(null)}
        />
      )}
    </>
  );
}

async function findPayment(invoice: OfficeInvoice): Promise<Payment | Reason> {
  const payments: Payment[] = [];
  for (const { paymentId, state } of invoice.payments) {
    if (!PAID.includes(state)) continue;
    const answer = await callOffice<Payment>(OFFICE_ENDPOINTS.payment, { params: { paymentId } });
    if (!answer.ok) return { tone: 'danger', words: refusalWords(answer.problem, NOT_HEARD_READING) };
    payments.push(answer.data);
  }
  const found = findOverpaid(payments, invoice);
  return 'payment' in found ? found.payment : { tone: 'warning', words: found.why };
}
