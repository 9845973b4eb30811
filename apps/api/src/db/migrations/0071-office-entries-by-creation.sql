-- The check of the books finds what offices have just received by office_entry_by_creation, one of the concurrent indexes. This one
-- only told which pages to read, so that a check read thousands of rows where the statistics happened to favor it.
DROP INDEX IF EXISTS ledger_entry_by_creation;
