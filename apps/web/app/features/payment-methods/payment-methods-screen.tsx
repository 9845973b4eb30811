import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PaymentMethodList } from './payment-method-list.tsx';

/** The saved cards beside one of them, or beside a hint. A narrow screen shows only the one card. */
export function PaymentMethodsScreen({
  title,
  cards,
  canAdd,
  isDetail = false,
  children,
}: {
  title: string;
  cards: PaymentMethod[];
  canAdd: boolean;
  /** Whether the screen shows one card. */
  isDetail?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="cards-screen" data-has-list={cards.length > 0} data-is-detail={isDetail}>
      <div className="cards-title">
        {isDetail && (
          <Link className="back-link" to="/payment-methods">
            All payment methods
          </Link>
        )}
        <PageTitle title={title} />
      </div>
      {cards.length > 0 && (
        <div className="cards-side">
          <PaymentMethodList cards={cards} />
          {canAdd && (
            <Link className="btn btn-outline" to="/payment-methods/add">
              Add Payment Method
            </Link>
          )}
        </div>
      )}
      <div className="cards-main">{children}</div>
    </div>
  );
}
