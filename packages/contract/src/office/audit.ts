import * as z from 'zod';
import { checkBounds, cursor, day, franchiseFilter, listAnswer, part, search } from './lists.ts';

export const AUDIT_ACTORS = ['staff', 'key', 'portal'] as const;

const filters = {
  search: search().optional(),
  franchiseId: franchiseFilter().optional(),
  /** Part of what the list shows under **Who**: an email address, a key, the portal. */
  who: part(100).optional(),
  /** Part of the act's words as the list shows them, or the beginning of its name. */
  what: part(60).optional(),
  from: day().optional(),
  to: day().optional(),
};

export const auditQuerySchema = z
  .strictObject({ ...filters, cursor: cursor().optional() })
  .superRefine(checkBounds);

const facts = z.record(z.string(), z.unknown()).nullable();

export const auditItemSchema = z.object({
  id: z.int(),
  at: z.string(),
  /** The franchise's zone; UTC for events about none or several. */
  timeZone: z.string(),
  who: z.object({ kind: z.enum(AUDIT_ACTORS), name: z.string() }),
  action: z.string(),
  subject: z.string(),
  /** Its page in the console, below `/office`. */
  href: z.string().nullable(),
  franchiseId: z.int().nullable(),
  before: facts,
  after: facts,
  reason: z.string().nullable(),
  /**
   * Further facts, such as `person`: the address of whom it was about, unless that account was closed. An instance from
   * before an update doesn't send them.
   */
  detail: facts.optional(),
  requestId: z.string().nullable(),
});

export const auditFileQuerySchema = z.strictObject({ ...filters }).superRefine(checkBounds);

export const auditListSchema = listAnswer(auditItemSchema);

export type AuditFilters = Omit<z.output<typeof auditQuerySchema>, 'cursor'>;
export type AuditItem = z.infer<typeof auditItemSchema>;
export type AuditList = z.infer<typeof auditListSchema>;
