import * as z from 'zod';
import { cursor, franchiseFilter } from './lists.ts';

/** Where an import stands: a file is checked first, then applied as a whole or not at all. */
export const IMPORT_STATES = ['checking', 'checked', 'applying', 'applied', 'refused', 'broken-off'] as const;

const importId = () => z.uuid('Name an import by its importId.');

export const importParamsSchema = z.object({ importId: importId() });

/** The console names the file, so that history can. */
const fileName = () =>
  z
    .string()
    .trim()
    .transform((name) => [...name.replaceAll(/\p{Cc}/gu, '')].slice(0, 200).join('').toWellFormed())
    .optional();

/** Of the import itself: a person names the file that was checked, a key need not. */
export const importQuerySchema = z.strictObject({ importId: importId().optional(), fileName: fileName() });

export const checkQuerySchema = z.strictObject({ importId: importId(), fileName: fileName() });

export const importFaultSchema = z.object({
  line: z.int(),
  /** Null where the line as a whole is wrong. */
  column: z.string().nullable(),
  value: z.string(),
  /** What the value has to be, to stand behind the column's name. */
  rule: z.string(),
});

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What an import makes of an invoice, its customer or its place, by the names of the import's columns. */
export const fieldChangeSchema = z.object({ field: z.string(), before: fieldValue, after: fieldValue });

export const importChangeSchema = z.object({
  /** Of the file; null where only what it did is kept. */
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
  /** What the file's invoices came to before it, and come to after it. */
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

/** What an import would do, without doing any of it. */
export const checkedImportSchema = z.object({
  importId: z.string(),
  sha256: z.string(),
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  overpaid: z.array(overpaidInvoiceSchema),
  franchises: z.array(importFranchiseSchema),
  /** Lines that are wrong; of these lines the first thousand faults are named. */
  faultCount: z.int(),
  faults: z.array(importFaultSchema),
  /** The hundred that change an amount most. */
  changes: z.array(importChangeSchema),
});

const counts = { created: z.int(), updated: z.int(), unchanged: z.int() };

const importRow = {
  importId: z.string(),
  state: z.enum(IMPORT_STATES),
  /** A person's email address, or `key:` and the key's name. */
  by: z.string(),
  fileName: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  ...counts,
};

/** One import as its sender and those it concerns see it: of an office, only what is its own. */
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
  /** Whether there is a file that takes it back, how many rows it has, and how many it leaves out as changed again since. */
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
