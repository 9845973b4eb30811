import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { LoadError } from '@brightpane/ui/outcomes/load-error';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { useRevalidator } from 'react-router';
import type { PaymentDone } from '../payments/pay-invoices.ts';
import { PaymentDoneCard } from '../payments/payment-done-card.tsx';

/** The lists of before would show what was just paid as due. */
export function PaidWithoutLists({
  done,
  email,
  load,
}: {
  done: PaymentDone;
  email: string;
  load: { thrown: unknown };
}) {
  const { state, revalidate } = useRevalidator();
  const isAsking = state !== 'idle';
  return (
    <div className="dashboard-empty">
      <PageTitle title="All Unpaid Invoices" />
      <PaymentDoneCard done={done} email={email} />
      <Alert tone="danger" of={load}>
        Your payment is made, but your other invoices did not load.{' '}
        {load.thrown instanceof LoadError && load.thrown.advice}
      </Alert>
      <div className="button-row">
        {/* Not disabled meanwhile, which would drop the focus. */}
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={isAsking}
          onClick={() => isAsking || void revalidate()}
        >
          Try again
        </button>
      </div>
    </div>
  );
}
