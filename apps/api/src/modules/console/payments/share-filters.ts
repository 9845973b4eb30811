import type { PaymentFilters } from '@brightpane/contract/office/payments';
import type { ZoneDays } from '../lists/zone-days.ts';
import type { FoundCustomers } from '../search/find-customers.ts';
import type { Reading, Term } from '../search/readings.ts';

/** Which shares a list, its totals and its export are about. */
export type ShareFilters = {
  actorId: string;
  /** The caller sees every franchise, and asks for no single one. */
  isOfAll: boolean;
  franchiseId: number | null;
  days: ZoneDays[];
  terms: readonly Term[];
  /** Whom the words and addresses of the search stand for. */
  customers: FoundCustomers['byReading'];
  isOldestFirst: boolean;
} & Pick<PaymentFilters, 'state' | 'method' | 'minAmount' | 'maxAmount'>;

/** The sort keys of a row. */
export type SharePlace = { at: string; chargeId: string; franchiseId: number };

export const readingsOf = <Kind extends Reading['kind']>(terms: readonly Term[], kind: Kind) =>
  terms
    .flatMap(({ readings }) => readings)
    .filter((reading): reading is Extract<Reading, { kind: Kind }> => reading.kind === kind);
