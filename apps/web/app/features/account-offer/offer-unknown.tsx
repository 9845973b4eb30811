import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { Alert } from '@brightpane/ui/outcomes/alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { offerUnknown } from './offer-messages.ts';
import './account-offer.scss';

/** In place of an offer's form while the offer can't be loaded: why, and **Try again**. */
export function OfferUnknown({
  title,
  problem,
  isAskingAgain,
  askAgain,
}: {
  title: string;
  problem: RefusedCall;
  isAskingAgain: boolean;
  askAgain: () => void;
}) {
  return (
    <Card title={title} className="account-offer no-print">
      <Alert tone="danger" of={problem}>
        <p>{offerUnknown(problem)}</p>
        <button type="button" className="btn btn-outline" onClick={askAgain} disabled={isAskingAgain}>
          Try again
        </button>
      </Alert>
    </Card>
  );
}
