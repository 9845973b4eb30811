-- A location that was given another customer by mistake and corrected back: its invoices that the correcting file didn't
-- mention stayed those of a former customer, who is the present one.
UPDATE invoice SET former_customer_id = NULL
 WHERE id = ANY(ARRAY(SELECT i.id FROM invoice i JOIN location l ON l.id = i.location_id
                       WHERE i.former_customer_id = l.customer_id ORDER BY i.id FOR UPDATE OF i));
