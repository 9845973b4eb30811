/**
 * A postal code in its compared form: upper case, without spaces and hyphens; a US ZIP+4 as its first five digits; a
 * numeric code without leading zeros, because spreadsheets drop them (`2113` is Boston's `02113`). `null` if nothing is
 * left, which matches nothing.
 */
export function zipKey(zipCode: string): string | null {
  const bare = zipCode.replace(/[\s-]/g, '').toUpperCase();
  if (bare === '') return null;
  if (!/^\d+$/.test(bare)) return bare;
  const digits = bare.length === 9 ? bare.slice(0, 5) : bare;
  return digits.replace(/^0+(?=\d)/, '');
}
