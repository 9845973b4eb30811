import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { cardExpiry, cardName } from './card-name.ts';
import { canPay } from './selected-card.ts';

/** The saved card to pay with. The payment form keeps what was typed while a card is added. */
export function CardChoice({
  cards,
  selected,
  onChoose,
}: {
  cards: readonly PaymentMethod[];
  selected: PaymentMethod | null;
  onChoose: (paymentMethodId: string | null) => void;
}) {
  const id = useId();
  const { pathname } = useLocation();
  const add = (
    <Link to="/payment-methods/add" state={{ returnTo: pathname }}>
      Add Payment Method
    </Link>
  );
  if (cards.length === 0) {
    return (
      <div className="card-choice">
        <p className="form-label">No Payment Methods</p>
        {add}
      </div>
    );
  }
  return (
    <div className="card-choice">
      <label className="form-label" htmlFor={id}>
        Payment method
      </label>
      <select
        id={id}
        className="form-select"
        value={selected?.id ?? ''}
        onChange={(event) => onChoose(event.target.value || null)}
      >
        {selected === null && <option value="">Choose a card</option>}
        {cards.map((card) => (
          <option key={card.id} value={card.id} disabled={!canPay(card)}>
            {cardName(card)}
            {whyNot(card)}
          </option>
        ))}
      </select>
      {add}
    </div>
  );
}

/** Why a card can't be selected. */
function whyNot(card: PaymentMethod): string {
  if (card.addAgain) return ' (add it again to use it)';
  return card.expired ? ` (expired ${cardExpiry(card)})` : '';
}
