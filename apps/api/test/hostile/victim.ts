import type { SignedInUser } from '../factories/users.ts';

/** Somebody with everything that a call can be about, so that a bad request is bad for one reason only. */
export type Victim = SignedInUser & {
  franchiseId: number;
  workOrderNumber: number;
  zipCode: string;
  locationId: number;
  paymentMethodId: string;
  /** Good for one charge. Nothing may use it up. */
  paymentKey: string;
};
