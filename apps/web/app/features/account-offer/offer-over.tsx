import { OutcomeAlert } from '@brightpane/ui/outcomes/outcome-alert.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import type { ReactNode } from 'react';
import { OFFER_IS_OVER } from './offer-messages.ts';
import './account-offer.scss';

/** In place of an offer's form once the offer is over. `children`: the way on. */
export function OfferOver({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title} className="account-offer no-print">
      <OutcomeAlert result={OFFER_IS_OVER} />
      {children}
    </Card>
  );
}
