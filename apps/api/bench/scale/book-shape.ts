export type BookSize = {
  invoices: number;
  /** The average; the first locations have very many, most have few. */
  invoicesPerLocation?: number;
  /** The last day of the books, which begin five years earlier. */
  asOf: string;
  /** The merchant account of every card payment. */
  accountId: number;
  /** The hash of every user's password, and the sealed token of every card. */
  passwordHash: string;
  sealedCard: string;
};

export const YEARS_IN_DAYS = 1825;
const LARGE_CUSTOMERS_LOCATIONS = 50;
/** Lower numbers are left for other franchises. */
export const FIRST_FRANCHISE = 1_000_000;

/** A number from 0 to 1 that depends only on `of` and the seed. */
export const uniform = (of: string, seed: number) =>
  `((hashint8extended((${of})::bigint, ${seed}) & 1073741823)::float8 / 1073741824)`;

export const id = (kind: string, of: string) => `md5('${kind}' || ${of})::uuid`;

/** A customer's unique last name: their number in letters. */
export const nameOf = (customer: string) => `translate(${customer}::text, '0123456789', 'abcdefghij')`;

/** The counts and the relations of the books, as SQL on numbers alone, so that no table has to be read. */
export function bookShape({ invoices, invoicesPerLocation = 8 }: BookSize) {
  const franchises = Math.min(400, Math.ceil(invoices / 25));
  const locations = Math.ceil(invoices / invoicesPerLocation);
  const sharedLocations = Math.ceil(locations / 20);
  const largeCustomers = Math.ceil(sharedLocations / LARGE_CUSTOMERS_LOCATIONS);
  return {
    franchises,
    locations,
    customers: largeCustomers + locations - sharedLocations,
    largeCustomers,
    /** The difference between a small customer's number and that of their only location. */
    locationOffset: sharedLocations - largeCustomers,
    customerOf: (location: string) => `
      (CASE WHEN ${location} <= ${sharedLocations}
            THEN 1 + (${location} - 1) / ${LARGE_CUSTOMERS_LOCATIONS}
            ELSE ${largeCustomers - sharedLocations} + ${location} END)`,
    franchiseOf: (customer: string) =>
      `(${FIRST_FRANCHISE} + floor(${franchises} * power(${uniform(customer, 1)}, 1.5)))::integer`,
    /** A third of the customers have an account. */
    hasUser: (customer: string) => `(${customer} % 3 = 0)`,
  };
}
