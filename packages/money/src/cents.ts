declare const brand: unique symbol;

/** An amount of money in whole cents: a safe integer, negative for credits. Only this package makes one. */
export type Cents = number & { readonly [brand]: 'Cents' };

/** Accepts an integer known to be cents (a database column, a literal). Throws a RangeError for anything else. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`);
  return (value === 0 ? 0 : value) as Cents;
}

export const ZERO: Cents = cents(0);

export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return cents(sum);
}

const DOLLARS = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/;

/** Parses dollars (`'12'`, `'12.3'`, `'-12.34'`). `null` for anything else, including a third decimal. */
export function parseDollars(text: string): Cents | null {
  const match = DOLLARS.exec(text.trim());
  if (!match) return null;
  const [, sign, dollars, fraction = ''] = match;
  const magnitude = Number(dollars) * 100 + Number(fraction.padEnd(2, '0'));
  return cents(sign === '-' ? -magnitude : magnitude);
}

/** `-1234567` → `'-12345.67'`, always two decimals. */
export function formatDollars(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `123450` → `'$1,234.50'`, a credit → `'-$5.00'`: how every screen, mail and document writes money. */
export function formatUsd(amount: Cents): string {
  const [dollars = '', fraction] = formatDollars(cents(Math.abs(amount))).split('.');
  return `${amount < 0 ? '-' : ''}$${dollars.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
