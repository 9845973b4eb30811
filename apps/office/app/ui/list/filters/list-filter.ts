/** A list's filter. Its value is in the URL, under its name. */
export type ListFilter =
  | { kind: 'search'; name: string; label: string; help?: string }
  | { kind: 'select'; name: string; label: string; options: { value: string; text: string }[] }
  | { kind: 'text'; name: string; label: string }
  /** A day such as 2026-11-30. */
  | { kind: 'day'; name: string; label: string }
  /** Dollars such as 120.00. */
  | { kind: 'money'; name: string; label: string };
