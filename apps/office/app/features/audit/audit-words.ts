import type { AuditItem } from '@brightpane/contract/office/audit';

/** `key:Nightly import` is a program; what nobody did by hand, the portal did. */
export function whoWords({ kind, name }: AuditItem['who']): string {
  if (kind === 'key') return `Key ${name.replace(/^key:/, '')}`;
  return kind === 'portal' ? 'The portal' : name;
}

/** `staff.add` → `Staff add`, `merchant-keys-changed` → `Merchant keys changed`: as written, for reading. */
export function actionWords(action: string): string {
  const words = action.replace(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of before or after, as text; objects keep their shape. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
