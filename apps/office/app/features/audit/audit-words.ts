/** `refund daad24aa-7ac4-…` → `refund daad24aa`, which **Search** finds too. */
export const subjectWords = (subject: string): string =>
  subject.replaceAll(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1');

/** A value before or after, as text; objects become JSON. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
