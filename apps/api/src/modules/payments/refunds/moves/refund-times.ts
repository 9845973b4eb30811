/** The time limit of a call to the provider; nothing is sent once too little of it is left. */
export const DEADLINE_SECONDS = 25;
/** How long after its deadline a sent void may still land; a sent refund is listed by then. */
export const VOID_LANDS_SECONDS = 15 * 60;
