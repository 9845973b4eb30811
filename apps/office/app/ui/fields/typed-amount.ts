import { toDollars, typedDollars } from '@brightpane/contract/wire';

/** An amount field's value for a call. An invalid one is sent as typed, so that the server says what is wrong. */
export function typedAmount(text: string): number | string {
  const amount = typedDollars(text);
  return amount === null ? text.trim() : toDollars(amount);
}
