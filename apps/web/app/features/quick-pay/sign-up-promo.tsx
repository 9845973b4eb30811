import { Card } from '@brightpane/ui/page/card.tsx';
import { Link } from 'react-router';

export function SignUpPromo() {
  return (
    <Card title="Skip the numbers next time" className="promo no-print">
      <p>With a free account you see all your unpaid invoices and pay them together with a saved card.</p>
      <Link className="btn btn-outline" to="/register">
        Sign Up
      </Link>
    </Card>
  );
}
