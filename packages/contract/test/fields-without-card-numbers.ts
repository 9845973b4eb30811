import * as z from 'zod';

/** What makes a field refuse it for the card number: a number alone, or an address that holds one. */
export const TYPED_CARD_NUMBERS = ['4000 1000 1111 2224', '4000100011112224@example.com'];

/** The fields in which schemas of these modules refuse a card number, however deep they lie. */
export function fieldsWithoutCardNumbers(modules: Record<string, unknown>): string[] {
  const names = new Set<string>();
  const exported = Object.values(modules).flatMap((module) => Object.values(module as object));
  for (const value of exported) collect(value, null, names);
  return [...names].sort();
}

function collect(schema: unknown, name: string | null, names: Set<string>): void {
  if (!(schema instanceof z.ZodType)) return;
  if (name !== null && TYPED_CARD_NUMBERS.some((typed) => isRefused(schema, typed))) names.add(name);
  if (schema instanceof z.ZodObject) {
    for (const [field, part] of Object.entries(schema.shape)) collect(part, field, names);
  }
  if (schema instanceof z.ZodArray) collect(schema.element, name, names);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    collect(schema.unwrap(), name, names);
  }
}

function isRefused(schema: z.ZodType, typed: string): boolean {
  const issues = schema.safeParse(typed).error?.issues ?? [];
  return issues.some((issue) => 'params' in issue && issue.params?.code === 'CardDataNotAllowed');
}
