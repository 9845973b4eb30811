import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { Badge } from '@brightpane/ui/page/badge.tsx';
import { NavLink } from 'react-router';
import { cardExpiry, cardName } from './card-name.ts';

/** The saved cards, each a link to its page. */
export function PaymentMethodList({ cards }: { cards: PaymentMethod[] }) {
  return (
    <nav aria-label="Saved cards">
      <ul className="card-list">
        {cards.map((card) => (
          <li key={card.id}>
            <NavLink className="card-list-item" to={`/payment-methods/${card.id}`}>
              <strong>{cardName(card)}</strong>
              <CardState card={card} />
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function CardState({ card }: { card: PaymentMethod }) {
  if (card.addAgain) return <Badge tone="danger">Add again</Badge>;
  if (card.expired) return <Badge tone="danger">Expired</Badge>;
  return card.expires !== null && <span className="quiet">Expires {cardExpiry(card)}</span>;
}
