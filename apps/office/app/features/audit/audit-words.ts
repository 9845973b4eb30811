import type { AuditItem } from '@brightpane/contract/office/audit';

/** `key:Nightly import` is a program; acts that nobody did by hand are the portal's. */
export function whoWords({ kind, name }: AuditItem['who']): string {
  if (kind === 'key') return `Key ${name.replace(/^key:/, '')}`;
  return kind === 'portal' ? 'The portal' : name;
}

/** `refund daad24aa-7ac4-…` → `refund daad24aa`, which **Search** finds too. */
export const subjectWords = (subject: string): string =>
  subject.replaceAll(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1');

/** A value before or after, as text; objects become JSON. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
