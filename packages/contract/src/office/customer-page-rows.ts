/** A customer's page shows at most this many invoices, and as many payments. */
export const CUSTOMER_PAGE_ROWS = 20;
