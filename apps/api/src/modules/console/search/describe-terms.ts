import { nameDays, resolveDays } from './read-days.ts';
import type { Brand, Reading, Term } from './readings.ts';

/** A token as the screen shows it, and the search without it. */
export type ReadAs = { kind: Reading['kind']; text: string; without: string };

/** As the provider's adapter spells them. */
export const BRAND_NAMES: Record<Brand, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
};

/** Describes each understood token. `today` is in the time zone of the list. */
export function describeTerms(terms: readonly Term[], today: string): ReadAs[] {
  return terms.flatMap(({ readings, without }) => {
    const [first] = readings;
    if (!first) return [];
    const text = readings.map((reading) => describe(reading, today)).join(' or ');
    return [{ kind: first.kind, text, without }];
  });
}

function describe(reading: Reading, today: string): string {
  switch (reading.kind) {
    case 'email':
      return `email ${reading.prefix}`;
    case 'work-order':
      return `work order ${reading.number}`;
    case 'last-four':
      return `card ending ${reading.digits}`;
    case 'reference':
      return `reference ${reading.reference}`;
    case 'amount':
      return reading.shown;
    case 'days':
      return nameDays(resolveDays(reading.days, today));
    case 'brand':
      return BRAND_NAMES[reading.brand];
    case 'order':
      return `order ${reading.orderId}`;
    case 'payment':
      return `payment ${reading.paymentId}`;
    case 'words':
      return `“${reading.words.join(' ')}”`;
  }
}
