import { PRODUCT_NAME } from '@brightpane/ui/page/brand';
import { BrandMark } from '@brightpane/ui/page/brand-mark.tsx';
import { Link } from 'react-router';

/** The brand, marked as the office's; links to the start screen. */
export function OfficeBrand() {
  return (
    <Link className="brand" to="/">
      <BrandMark />
      <span>
        {PRODUCT_NAME} <span className="brand-office">office</span>
      </span>
    </Link>
  );
}
