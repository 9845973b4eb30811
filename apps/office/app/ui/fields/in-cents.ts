import { fromDollars } from '@brightpane/contract/wire';
import { type Cents, ZERO } from '@brightpane/money/cents';

/** An amount of the wire in cents, to be shown or added. */
export const inCents = (amount: number): Cents => fromDollars(amount) ?? ZERO;
