import { sql } from 'drizzle-orm';

/** That the money of a refund `r` went back, and has not been taken back since: nothing else is a refund to a payer. */
export const isRefunded = sql`r.state = 'made' AND r.undone_at IS NULL`;

/** What of a refund's line `l` went back to the card. */
export const refundedCash = sql`l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents`;
