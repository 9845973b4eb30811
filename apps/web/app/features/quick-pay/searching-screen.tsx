import { Skeleton } from '@brightpane/ui/page/skeleton.tsx';

/**
 * `/guest-payment` opened by a link with the three numbers, while the invoice loads. It takes no focus, which
 * would be lost when the screen is replaced.
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
