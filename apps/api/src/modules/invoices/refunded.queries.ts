import { sql } from 'drizzle-orm';

/** Whether refund `r` was made and not undone; payers see only such refunds. */
export const isRefunded = sql`r.state = 'made' AND r.undone_at IS NULL`;

/** What refund line `l` returned to the card. */
export const refundedCash = sql`l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents`;
