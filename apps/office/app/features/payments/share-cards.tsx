import type { PaymentShare } from '@brightpane/contract/office/payments';
import { CopyButton } from '../../ui/fields/copy-button.tsx';

/** **Card and provider**: the card, and the provider's ids of the payment. */
export function ShareCards({ shares }: { shares: PaymentShare[] }) {
  return (
    <section className="card panel" aria-labelledby="provider">
      <h2 id="provider">Card and provider</h2>
      {shares.map((share) => (
        <dl key={`${share.chargeId}/${share.franchiseId}`} className="facts">
          {shares.length > 1 && (
            <>
              <dt>Franchise</dt>
              <dd>{share.franchiseName}</dd>
            </>
          )}
          <dt>Card</dt>
          <dd>{share.method ? `${share.method} ${share.maskedCard ?? ''}` : 'Not known'}</dd>
          {share.reference !== null && (
            <>
              <dt>Reference</dt>
              <dd>
                {share.reference} <CopyButton text={share.reference} label="Copy reference" />
              </dd>
            </>
          )}
          <dt>Order id</dt>
          <dd>
            {share.orderId} <CopyButton text={share.orderId} label="Copy order id" />
          </dd>
          <dt>Merchant account</dt>
          <dd>{share.account === 'own' ? 'The franchise’s own' : 'The portal’s'}</dd>
        </dl>
      ))}
    </section>
  );
}
