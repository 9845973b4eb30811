import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { Link } from 'react-router';

/** What to do next while no card is selected. */
export function PaymentMethodsHint({ hasLocations, hasCards }: { hasLocations: boolean; hasCards: boolean }) {
  if (!hasLocations) {
    return (
      <div className="panel">
        <EmptyState
          title="No locations"
          action={
            <Link className="btn btn-primary" to="/locations/add">
              Add a location first
            </Link>
          }
        >
          Then save a card to pay its invoices with.
        </EmptyState>
      </div>
    );
  }
  if (!hasCards) {
    return (
      <div className="panel">
        <EmptyState
          title="No Payment Methods"
          action={
            <Link className="btn btn-primary" to="/payment-methods/add">
              Add Payment Method
            </Link>
          }
        >
          Save a card once, and pay all your invoices with it.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="panel cards-hint">
      <EmptyState title="Manage payment methods">Choose a card to look at it or to delete it.</EmptyState>
    </div>
  );
}
