/** One row of an import as it was sent, before any rule is applied. Lines count from 1; a CSV header is line 1. */
export type SourceRow =
  | {
      line: number;
      /** In the order of the contract's `INVOICE_COLUMNS`; undefined where the sender has no such column. */
      values: readonly (string | undefined)[];
    }
  | {
      line: number;
      /** Why it could not be read at all. */
      fault: string;
    };
