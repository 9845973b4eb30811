/** Counting stops here: a higher number helps nobody. */
export const MOST_WAITING = 100;

/** A customer's page shows at most this many invoices, and as many payments. */
export const CUSTOMER_PAGE_ROWS = 20;

/** An invoice's page shows at most this many payments, and the accepted ones before them. */
export const INVOICE_PAGE_PAYMENTS = 50;
