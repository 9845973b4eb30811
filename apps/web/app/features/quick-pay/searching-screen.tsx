import { Skeleton } from '@brightpane/ui/page/skeleton.tsx';

/**
 * `/guest-payment` opened by a link that carries the three numbers, until the invoice is there. It takes no focus: that
 * would be gone with it.
 */
export function SearchingScreen() {
  return (
    <div className="quick-pay">
      <div className="quick-pay-facts page-skeleton">
        <title>Pay Invoice</title>
        <h1>Pay Invoice</h1>
        <p role="status" className="quiet">
          Looking for your invoice…
        </p>
        <Skeleton shape="block" />
      </div>
      <div className="quick-pay-main">
        <Skeleton shape="block" />
      </div>
      <div className="quick-pay-side">
        <Skeleton shape="document" />
      </div>
    </div>
  );
}
