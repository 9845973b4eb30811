export type BookSize = {
  invoices: number;
  /** On average; the first locations have very many, most have few. */
  invoicesPerLocation?: number;
  /** Until when the books go; five years before it they begin. */
  asOf: string;
  /** The account that every card was charged on. */
  accountId: number;
  /** What the users' passwords hash to, and what their cards are charged by. */
  passwordHash: string;
  sealedCard: string;
};

export const YEARS_IN_DAYS = 1825;
const LARGE_CUSTOMERS_LOCATIONS = 50;
/** The numbers below are left to whoever adds franchises to the books. */
export const FIRST_FRANCHISE = 1_000_000;

/** A number from 0 to 1 that depends on `of` alone; another seed gives another one. */
export const uniform = (of: string, seed: number) =>
  `((hashint8extended((${of})::bigint, ${seed}) & 1073741823)::float8 / 1073741824)`;

export const id = (kind: string, of: string) => `md5('${kind}' || ${of})::uuid`;

/** A customer's last name, which no other has: its number in letters. */
export const nameOf = (customer: string) => `translate(${customer}::text, '0123456789', 'abcdefghij')`;

/** How many there are of what, and who belongs to whom, as SQL: of a number alone, so that no table has to be read. */
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
    /** From a small customer's number to that of its one location. */
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
