/** A run of digits, with nothing between two of them or a few of the separators that people type. */
const DIGIT_RUN = /\d(?:[\s.\-\u2010-\u2015/_]{0,3}\d){12,}/gu;

/**
 * Whether a text may hold a card number: 13 to 19 digits, separated or not, with a valid check digit;
 * or 15 or 16 of them next to other numbers, such as an expiration or a zip code.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.normalize('NFKC').match(DIGIT_RUN) ?? [];
  return runs.some((run) => {
    const groups = run.split(/\D+/);
    return (
      isCardNumber(groups.join(''), 13, 19) || neighbors(groups).some((part) => isCardNumber(part, 15, 16))
    );
  });
}

/** E.164: a plus and at most 15 digits. Some pass the check by chance, but nobody writes a card number with a plus. */
const INTERNATIONAL_PHONE = /^\s*\+[1-9](?:[\s().\-/]{0,3}\d){6,14}\s*$/;

/** As `holdsCardNumber`, for a field that asks for a phone number. */
export function phoneHoldsCardNumber(text: string): boolean {
  return !INTERNATIONAL_PHONE.test(text) && holdsCardNumber(text);
}

/** For keys and tokens: whether the whole text is a card number, since part of one may look like it by chance. */
export function isCardNumberOnly(text: string): boolean {
  return /^[\d\s.-]+$/.test(text) && holdsCardNumber(text);
}

/** Adjacent groups of digits that together are no longer than a card number. */
function neighbors(groups: string[]): string[] {
  return groups.flatMap((_group, start) => {
    const parts: string[] = [];
    let digits = '';
    for (let index = start; index < groups.length; index++) {
      digits += groups[index];
      if (digits.length > 16) break;
      parts.push(digits);
    }
    return parts;
  });
}

/** Card issuers use first digits 2 to 6; the check digit is Luhn's. */
function isCardNumber(digits: string, min: number, max: number): boolean {
  if (digits.length < min || digits.length > max || !/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
