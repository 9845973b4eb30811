/**
 * A postal code in the form it is compared in: without spaces, hyphens and case; a US ZIP+4 as its first five digits;
 * a numeric code without leading zeros, since spreadsheets drop them (`2113` is Boston's `02113`).
 * `null` where there is nothing to compare, which matches nothing.
 */
export function zipKey(zipCode: string): string | null {
  const bare = zipCode.replace(/[\s-]/g, '').toUpperCase();
  if (bare === '') return null;
  if (!/^\d+$/.test(bare)) return bare;
  const digits = bare.length === 9 ? bare.slice(0, 5) : bare;
  return digits.replace(/^0+(?=\d)/, '');
}
