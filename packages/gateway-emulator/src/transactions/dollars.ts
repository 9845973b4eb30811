const DOLLARS = /^\s*(-?)(\d*)(?:\.(\d{0,2})0*)?\s*$/;

/** Integer cents of a decimal string or number of dollars; undefined if it isn't an amount. */
export function centsOf(dollars: unknown): number | undefined {
  if (typeof dollars !== 'string' && typeof dollars !== 'number') return undefined;
  const match = DOLLARS.exec(String(dollars));
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return undefined;
  return sign === '-' ? -cents : cents;
}

export function dollarsOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
