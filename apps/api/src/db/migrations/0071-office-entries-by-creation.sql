-- The check of the books finds what offices have just received by office_entry_by_creation, which is built beside its tables. This
-- one told pages only, so that by chance of the statistics a check read thousands of rows.
DROP INDEX IF EXISTS ledger_entry_by_creation;
