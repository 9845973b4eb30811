import { PRODUCT_NAME } from '@brightpane/ui/page/brand';
import { BrandMark } from '@brightpane/ui/page/brand-mark.tsx';
import { OfficeLink } from '../facts/office-link.tsx';

/** The brand, marked as the office's; links to the start screen. */
export function OfficeBrand() {
  return (
    <OfficeLink className="brand" to="/">
      <BrandMark />
      <span>
        {PRODUCT_NAME} <span className="brand-office">office</span>
      </span>
    </OfficeLink>
  );
}
