/** Counting stops here: a higher number helps nobody. */
export const MOST_WAITING = 100;

/** A customer's page shows at most this many invoices, and as many payments. */
export const CUSTOMER_PAGE_ROWS = 20;
