/** How long a call to the provider may take; nothing is written with less than what is left after it. */
export const DEADLINE_SECONDS = 25;
/** Whoever has a row for so long has it alone. */
export const REFUND_LEASE_SECONDS = 60;
/** A void that was sent may land until so long after its deadline; a refund shows on the list by then. */
export const VOID_LANDS_SECONDS = 15 * 60;
