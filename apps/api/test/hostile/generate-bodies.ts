import fc from 'fast-check';
import { MARK } from './spoil.ts';

/** The part of JSON Schema that the contract uses. */
export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  nullable?: boolean;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

type Body = Record<string, unknown>;

/** A body, and whether it definitely breaks its schema; otherwise it may be valid or not. */
export type GeneratedBody = { body: unknown; isBroken: boolean };

const WORDS = [
  '',
  ' ',
  MARK,
  '0',
  '-1',
  '1e3',
  '12.345',
  '99999.00',
  'NaN',
  'null',
  '\u0000',
  '\ud800',
  '\u202eabc',
  "' OR '1'='1",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '__proto__',
  'a@example.com',
  'a@example.com\r\nBcc: b@example.com',
  '4111111111111111',
  '9'.repeat(400),
  'x'.repeat(5000),
];
const NUMBERS = [0, -0, -1, 0.1, 1.005, 99_999, 99_999.01, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324];

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, ...NUMBERS, true, false, null),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer(),
  fc.double(),
);
const list = fc.array(scalar, { maxLength: 3 });
const object = fc.dictionary(fc.string({ maxLength: 8 }), scalar, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
});

/** A place in a body, and its schema. */
type Point = { path: (string | number)[]; schema: Schema; isRequired: boolean };

function pointsOf(schema: Schema, good: unknown, path: Point['path'] = []): Point[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = [...path, name];
    const value = (good as Body | undefined)?.[name];
    const own = { path: at, schema: field, isRequired: schema.required?.includes(name) === true };
    return [own, ...(value === undefined ? [] : pointsOf(field, value, at))];
  });
  const [first] = Array.isArray(good) ? good : [];
  const items = schema.items && first !== undefined ? pointsOf(schema.items, first, [...path, 0]) : [];
  return [...fields, ...items];
}

/** A copy with another value at a point; `undefined` removes it. */
function changed(value: unknown, [step, ...rest]: Point['path'], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, at) => (at === step ? changed(item, rest, replacement) : item));
  return { ...(value as Body), [step]: changed((value as Body)[step], rest, replacement) };
}

const takesAnything = ({ type, anyOf, enum: values }: Schema) => !type && !anyOf && !values;

/** Values that never match this schema. */
function mismatch(schema: Schema): fc.Arbitrary<unknown> {
  const kinds = [schema, ...(schema.anyOf ?? [])].map(({ type }) => type);
  if (kinds.includes('array')) return object;
  return kinds.includes('object') ? list : fc.oneof(list, object);
}

/** Valid except for one definitely wrong value. */
export function brokenBodies(schema: Schema, good: unknown): fc.Arbitrary<GeneratedBody> {
  const points = pointsOf(schema, good).filter((point) => !takesAnything(point.schema));
  const required = points.filter(({ isRequired }) => isRequired);
  const unknownField = fc
    .tuple(fc.string({ minLength: 1, maxLength: 8 }), scalar)
    .map(([name, value]) => ({ ...(good as Body), [`${MARK}${name}`]: value }));
  const wrongType = fc
    .constantFrom(...points)
    .chain(({ path, schema: at }) => mismatch(at).map((value) => changed(good, path, value)));
  const missing = required.map(({ path }) => fc.constant(changed(good, path, undefined)));
  return fc.oneof(unknownField, wrongType, ...missing).map((body) => ({ body, isBroken: true }));
}

/** Valid except for one changed value, which may be valid too. */
export function bentBodies(schema: Schema, good: unknown): fc.Arbitrary<GeneratedBody> {
  return fc
    .constantFrom(...pointsOf(schema, good))
    .chain(({ path, schema: at }) => fc.oneof(scalar, anyOf(at)).map((value) => changed(good, path, value)))
    .map((body) => ({ body, isBroken: false }));
}

/** Anything that the schema's types allow. */
export function randomBodies(schema: Schema): fc.Arbitrary<GeneratedBody> {
  return anyOf(schema).map((body) => ({ body, isBroken: false }));
}

function anyOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anyOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const own = ofType(schema);
  return schema.nullable ? fc.option(own) : own;
}

function ofType(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, field]) => [name, anyOf(field)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
    case 'array':
      return fc.array(anyOf(schema.items ?? {}), { maxLength: 3 });
    case 'string':
      return fc.oneof(
        fc.constantFrom(...WORDS),
        fc.string({ unit: 'binary', maxLength: Math.min(schema.maxLength ?? 40, 40) }),
      );
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.maxSafeInteger());
    case 'number':
      return fc.oneof(fc.constantFrom(...NUMBERS), fc.double());
    case 'boolean':
      return fc.boolean();
    default:
      return scalar;
  }
}
