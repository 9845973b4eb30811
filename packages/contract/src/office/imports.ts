import * as z from 'zod';
import { cursor, franchiseFilter } from './lists.ts';

/** Where an import stands: a file is checked first, then applied as a whole or not at all. */
export const IMPORT_STATES = ['checking', 'checked', 'applying', 'applied', 'refused', 'broken-off'] as const;

const importId = () => z.uuid('Name an import by its importId.');

export const importParamsSchema = z.object({ importId: importId() });

/** Sent by the console so that the history can show it. */
const fileName = () =>
  z
    .string()
    .trim()
    .transform((name) => [...name.replaceAll(/\p{Cc}/gu, '')].slice(0, 200).join('').toWellFormed())
    .optional();

/** A person names the file that was checked; a key may import without a check. */
export const importQuerySchema = z.strictObject({ importId: importId().optional(), fileName: fileName() });

export const checkQuerySchema = z.strictObject({ importId: importId(), fileName: fileName() });

export const importFaultSchema = z.object({
  line: z.int(),
  /** Null if the whole line is wrong. */
  column: z.string().nullable(),
  value: z.string(),
  /** What the value has to be; shown behind the column's name. */
  rule: z.string(),
});

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One field that an import changes, under the import's column name. */
export const fieldChangeSchema = z.object({ field: z.string(), before: fieldValue, after: fieldValue });

export const importChangeSchema = z.object({
  /** The line in the file; null for an invoice that the file doesn't mention, and in the history, which keeps no lines. */
  line: z.int().nullable(),
  franchiseId: z.int(),
  workOrderNumber: z.int(),
  kind: z.enum(['created', 'updated']),
  fields: z.array(fieldChangeSchema),
});

const nameChange = z.object({ before: z.string(), after: z.string() }).nullable();

export const importFranchiseSchema = z.object({
  franchiseId: z.int(),
  name: z.string(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** The sum of the file's invoices before and after it. */
  amountBefore: z.number(),
  amountAfter: z.number(),
  nameChange,
  zoneChange: nameChange,
});

export const overpaidInvoiceSchema = z.object({
  franchiseId: z.int(),
  workOrderNumber: z.int(),
  amount: z.number(),
});

/** What an import would do, without doing it. */
export const checkedImportSchema = z.object({
  importId: z.string(),
  sha256: z.string(),
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  overpaid: z.array(overpaidInvoiceSchema),
  franchises: z.array(importFranchiseSchema),
  /** How many lines are wrong. `faults` lists only the first thousand faults. */
  faultCount: z.int(),
  faults: z.array(importFaultSchema),
  /** The hundred that change an amount most. */
  changes: z.array(importChangeSchema),
});

const counts = { created: z.int(), updated: z.int(), unchanged: z.int() };

const importRow = {
  importId: z.string(),
  state: z.enum(IMPORT_STATES),
  /** A person's name, or `key:` and the key's name. */
  by: z.string(),
  fileName: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  ...counts,
};

/** One import as its sender and the offices it touched see it; an office sees only its own rows. */
export const importSchema = z.object({
  ...importRow,
  rowsRead: z.int(),
  /** Null until the file was read to its end. */
  sha256: z.string().nullable(),
  overpaid: z.array(overpaidInvoiceSchema),
  franchises: z.array(importFranchiseSchema),
  faultCount: z.int(),
  faults: z.array(importFaultSchema),
  changes: z.array(importChangeSchema),
  /** The file that undoes the import: its rows, and the rows left out because they changed again since. */
  undo: z.object({ rows: z.int(), leftOut: z.int() }).nullable(),
});

export const importsQuerySchema = z.strictObject({
  franchiseId: franchiseFilter().optional(),
  cursor: cursor().optional(),
});

export const importsSchema = z.object({
  items: z.array(z.object({ ...importRow, overpaid: z.int() })),
  next: z.string().nullable(),
});

export type ImportState = (typeof IMPORT_STATES)[number];
export type ImportFault = z.infer<typeof importFaultSchema>;
export type ImportChange = z.infer<typeof importChangeSchema>;
export type FieldChange = z.infer<typeof fieldChangeSchema>;
export type ImportFranchise = z.infer<typeof importFranchiseSchema>;
export type CheckedImport = z.infer<typeof checkedImportSchema>;
export type Import = z.infer<typeof importSchema>;
export type Imports = z.infer<typeof importsSchema>;
