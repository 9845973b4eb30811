import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { Badge } from '@brightpane/ui/page/badge.tsx';
import { Card } from '@brightpane/ui/page/card.tsx';
import { cardExpiry, cardName } from './card-name.ts';
import { DeletePaymentMethod } from './delete-payment-method.tsx';

/** One saved card; the provider keeps the full number. */
export function PaymentMethodDetails({ card }: { card: PaymentMethod }) {
  const { brand, maskedCard, expires, expired, addAgain } = card;
  return (
    <Card
      title={cardName(card)}
      aside={(addAgain || expired) && <Badge tone="danger">{addAgain ? 'Add again' : 'Expired'}</Badge>}
      className="card-details"
    >
      <dl className="card-facts" data-sentry-block>
        <div>
          <dt>Brand</dt>
          <dd>{brand}</dd>
        </div>
        <div>
          <dt>Card number</dt>
          <dd className="figures">{maskedCard}</dd>
        </div>
        {expires !== null && (
          <div>
            <dt>{expired ? 'Expired' : 'Expires'}</dt>
            <dd className="figures">{cardExpiry(card)}</dd>
          </div>
        )}
      </dl>
      {addAgain && <p>We cannot charge this card any more. Delete it, then add it again.</p>}
      {expired && !addAgain && <p>This card cannot pay any more. Delete it, and add the new one.</p>}
      <DeletePaymentMethod card={card} />
    </Card>
  );
}
