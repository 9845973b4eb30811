import type { ListedPayment, PaymentLine } from '@brightpane/contract/invoices/payment-history';
import { type Cents, cents, sumCents } from '@brightpane/money/cents';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { readData } from '../../lib/read-data.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { type DocumentLinks, RenewLinksContext } from '../invoices/fresh-links.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { PdfLink } from '../invoices/pdf-link.tsx';
import { lineAddress, NOT_COLLECTED, PAID_BY } from './payment-words.ts';
import { SignedLink } from './signed-link.tsx';

/** One payment, amount by amount. Payments that weren't collected, or that others made, have no receipt. */
export function ReceiptScreen({ payment }: { payment: ListedPayment }) {
  const { receiptLink, lines, paymentId } = payment;
  const ask = useAsk();
  const year = payment.paidAt.slice(0, 'YYYY'.length);
  return (
    <div className="payment-history receipt" data-sentry-block>
      <div className="payment-history-head">
        <div>
          <Link className="back-link no-print" to={`/payments?year=${year}`}>
            All payments
          </Link>
          <PageTitle title={receiptLink === null ? 'Payment' : 'Receipt'} />
        </div>
        {receiptLink !== null && (
          <SignedLink link={receiptLink} renew={() => renewReceipt(paymentId)}>
            Open PDF
          </SignedLink>
        )}
      </div>
      {payment.state === 'not-collected' && <Alert tone="warning">{NOT_COLLECTED}</Alert>}
      <Facts payment={payment} />
      <RenewLinksContext value={(key) => ask(() => renewInvoice(paymentId, key))}>
        {lines.map((line) => (
          <LineCard key={lineKey(line)} line={line} />
        ))}
      </RenewLinksContext>
    </div>
  );
}

async function renewReceipt(paymentId: string): Promise<Answer<string> | null> {
  const answer = await readData<ListedPayment>('payment', { params: { paymentId } });
  if (!answer.ok) return answer;
  const { receiptLink } = answer.data;
  return receiptLink === null ? null : { ok: true, data: receiptLink };
}

async function renewInvoice(paymentId: string, key: string): Promise<Answer<DocumentLinks> | null> {
  const answer = await readData<ListedPayment>('payment', { params: { paymentId } });
  if (!answer.ok) return answer;
  const line = answer.data.lines.find((each) => lineKey(each) === key);
  return line?.pdfLink ? { ok: true, data: { pdfLink: line.pdfLink, pngLink: '' } } : null;
}

const lineKey = ({ franchiseId, workOrderNumber }: PaymentLine) => `${franchiseId} ${workOrderNumber}`;

function Facts({ payment }: { payment: ListedPayment }) {
  const { paidAt, by, amount, refundedAmount, card, references, refunds, lines } = payment;
  const isRefunded = refunds.length > 0;
  return (
    <Card title={lines.length > 1 ? `${lines.length} work orders` : 'Payment'}>
      <dl className="summary">
        <Fact label="Date">{formatWireDate(paidAt)}</Fact>
        <Fact label="Paid by">{PAID_BY[by]}</Fact>
        {card !== null && <Fact label="Card">{card}</Fact>}
        <References references={references} lines={lines} />
        {isRefunded && (
          <>
            <Amount label="Amount" cents={centsOf(amount)} />
            {refunds.map((refund, index) => (
              <Amount
                // biome-ignore lint/suspicious/noArrayIndexKey: two may be of one instant, and none changes its place
                key={index}
                label={`Refunded ${formatWireDate(refund.refundedAt)}`}
                cents={centsOf(refund.amount)}
              />
            ))}
          </>
        )}
        <div className="summary-total">
          <dt>{isRefunded ? 'Net total' : payment.state === 'not-collected' ? 'Not collected' : 'Amount'}</dt>
          <dd>
            <Money cents={cents(centsOf(amount) - centsOf(refundedAmount))} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

/** As on the card's statement: with an amount each, if there are several. */
function References({ references, lines }: Pick<ListedPayment, 'references' | 'lines'>) {
  if (references.length === 1) {
    return (
      <Fact label="Reference">
        <span className="figures">{references[0]}</span>
      </Fact>
    );
  }
  return references.map((reference) => (
    <Amount
      key={reference}
      label={`Reference ${reference}`}
      cents={sumCents(
        lines.filter((line) => line.reference === reference).map(({ total }) => centsOf(total)),
      )}
    />
  ));
}

function LineCard({ line }: { line: PaymentLine }) {
  const { workOrderNumber, franchiseName, service, note, pdfLink } = line;
  const address = lineAddress(line);
  const tax = sumCents([centsOf(line.salesTax), centsOf(line.servicesTax)]);
  return (
    <Card
      title={`Work order ${workOrderNumber}, ${franchiseName}`}
      aside={
        pdfLink !== null && (
          <PdfLink
            invoice={{ documentId: lineKey(line), pdfLink, pngLink: '' }}
            className="no-print receipt-link"
          >
            Invoice<span className="visually-hidden"> of work order {workOrderNumber}</span>
          </PdfLink>
        )
      }
    >
      {(address || service) && (
        <p className="quiet receipt-about">
          {[line.description, address, service].filter(Boolean).join('. ')}
        </p>
      )}
      <dl className="summary">
        <Amount label="Invoice amount" cents={centsOf(line.invoiceAmount)} />
        {line.services !== 0 && (
          <Amount
            label={note ? `Additional services (${note})` : 'Additional services'}
            cents={centsOf(line.services)}
          />
        )}
        <Amount label="Sales tax" cents={tax} />
        {line.tip !== 0 && <Amount label="Tip" cents={centsOf(line.tip)} />}
        <div className="summary-total">
          <dt>Total</dt>
          <dd>
            <Money cents={centsOf(line.total)} />
          </dd>
        </div>
        {line.refunded !== 0 && <Amount label="Refunded" cents={centsOf(line.refunded)} />}
      </dl>
    </Card>
  );
}

function Amount({ label, cents }: { label: string; cents: Cents }) {
  return (
    <Fact label={label}>
      <Money cents={cents} />
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
