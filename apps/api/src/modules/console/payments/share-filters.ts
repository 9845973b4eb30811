import type { PaymentFilters } from '@brightpane/contract/office/payments';
import type { ZoneDays } from '../lists/zone-days.ts';
import type { FoundCustomers } from '../search/find-customers.ts';
import type { Reading, Term } from '../search/readings.ts';

/** Which shares a list, its totals and its export cover. */
export type ShareFilters = {
  actorId: string;
  /** The caller sees every franchise and asks for no single one. */
  isOfAll: boolean;
  franchiseId: number | null;
  days: ZoneDays[];
  terms: readonly Term[];
  /** The customers that the search's words and addresses match. */
  customers: FoundCustomers['byReading'];
  isOldestFirst: boolean;
} & Pick<PaymentFilters, 'state' | 'method' | 'minAmount' | 'maxAmount'>;

/** A row's sort keys. */
export type SharePlace = { at: string; chargeId: string; franchiseId: number };

export const readingsOf = <Kind extends Reading['kind']>(terms: readonly Term[], kind: Kind) =>
  terms
    .flatMap(({ readings }) => readings)
    .filter((reading): reading is Extract<Reading, { kind: Kind }> => reading.kind === kind);
