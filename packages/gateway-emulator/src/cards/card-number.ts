interface CardBrand {
  /** The letter in `creditcard.type`. */
  letter: string;
  /** The word in `cardtype` and `savedcard.type`. */
  word: string;
  /** The two digits in answers of `cardref`. */
  digits: string;
}

const BRANDS: { pattern: RegExp; lengths: number[]; brand: CardBrand }[] = [
  { pattern: /^4/, lengths: [13, 16], brand: { letter: 'V', word: 'Visa', digits: '00' } },
  {
    pattern: /^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/,
    lengths: [16],
    brand: { letter: 'M', word: 'MasterCard', digits: '01' },
  },
  { pattern: /^3[47]/, lengths: [15], brand: { letter: 'A', word: 'AMEX', digits: '02' } },
  { pattern: /^(6011|64[4-9]|65)/, lengths: [16], brand: { letter: 'DS', word: 'Discover', digits: '03' } },
];

export function brandOf(number: string): CardBrand | undefined {
  return BRANDS.find(({ pattern, lengths }) => pattern.test(number) && lengths.includes(number.length))
    ?.brand;
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number[number.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The error code for an impossible number, or undefined. */
export function cardNumberError(number: string): number | undefined {
  if (!/^\d+$/.test(number)) return 11;
  if (number.length < 13 || number.length > 16) return 12;
  if (!passesLuhn(number)) return 13;
  return brandOf(number) ? undefined : 14;
}

/** The error code for an invalid or expired MMYY, or undefined. A card is valid until the end of its month. */
export function expirationError(expiration: string, now: number): number | undefined {
  if (!/^\d{4}$/.test(expiration)) return 15;
  const month = Number(expiration.slice(0, 2));
  if (month < 1 || month > 12) return 16;
  const firstDayAfter = Date.UTC(2000 + Number(expiration.slice(2)), month, 1);
  return firstDayAfter <= now ? 17 : undefined;
}

/** As transactions show it: the first four and last four digits. */
export function maskedNumber(number: string): string {
  return `${number.slice(0, 4)}xxxxxxxx${number.slice(-4)}`;
}

/** As a payment key shows it: the first six and last four digits. */
export function maskedNumberOfPaymentKey(number: string): string {
  return `${number.slice(0, 6)}${'x'.repeat(number.length - 10)}${number.slice(-4)}`;
}
