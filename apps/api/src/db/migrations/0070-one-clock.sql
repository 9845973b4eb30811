-- Every instant that the database fills in by itself goes by the engine's clock. Where that is ahead, as in the demo, what somebody did
-- in the console stood days before the payment that it was done to, in timelines and in the audit.
ALTER TABLE app_user ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE audit_event ALTER COLUMN at SET DEFAULT engine_now();
ALTER TABLE deployment ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE found_payment ALTER COLUMN found_at SET DEFAULT engine_now();
ALTER TABLE invitation ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE lost_order ALTER COLUMN found_at SET DEFAULT engine_now();
ALTER TABLE merchant_account ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE payment_method ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE terms_text ALTER COLUMN first_used_at SET DEFAULT engine_now();
ALTER TABLE unmailed_credit ALTER COLUMN created_at SET DEFAULT engine_now();
ALTER TABLE unreadable_secret ALTER COLUMN noticed_at SET DEFAULT engine_now();
ALTER TABLE user_customer ALTER COLUMN created_at SET DEFAULT engine_now();
