import type { SignedInUser } from '../factories/users.ts';

/** A person with everything that a call can be about, so that an invalid request is invalid for one reason only. */
export type Victim = SignedInUser & {
  franchiseId: number;
  workOrderNumber: number;
  zipCode: string;
  locationId: number;
  paymentMethodId: string;
  /** Good for one charge, which no request may use up. */
  paymentKey: string;
};
