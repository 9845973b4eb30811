import { FIELD_CODES, type ProblemError } from '@brightpane/contract/problem';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler, FastifyTypeProvider } from 'fastify';
import * as z from 'zod';
import { HttpProblem, UNREADABLE } from './problem.ts';

/** Lets routes declare body, parameters and answers with the contract's zod schemas. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

/** Said of a wrong field whose schema says nothing itself: zod's own texts are written for programmers. */
const UNNAMED = 'Please check this field.';

export const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (data) => {
    const parsed = schema.safeParse(data, { error: () => UNNAMED });
    return parsed.success ? { value: parsed.data } : { error: toProblem(parsed.error) };
  };
};

/**
 * Serializes answers with a function compiled from the schema, several times faster than validating with zod. Compiled
 * for the first answer, because compiling all of them would take a good part of a start.
 */
export const compileSerializer: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    serializerOf(schema)(data);

type Serializer = ReturnType<FastifySerializerCompiler<z.ZodType>>;

const serializers = new WeakMap<z.ZodType, Serializer>();

function serializerOf(schema: z.ZodType): Serializer {
  const known = serializers.get(schema);
  if (known) return known;
  const jsonSchema = z.toJSONSchema(schema, { target: 'openapi-3.0' });
  const compiled = fastJsonStringify(jsonSchema as fastJsonStringify.Schema);
  serializers.set(schema, compiled);
  return compiled;
}

/** The caller chose an unknown field's name, so repeat it only if it is plainly a name. */
const PLAIN_NAME = /^[a-z]{1,30}$/i;
const MOST_NAMED = 100;

/** One sentence for a person, and the first fault of each field for a form. */
function toProblem(error: z.ZodError): HttpProblem {
  const errors = error.issues.flatMap((issue): ProblemError[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        code: 'UnknownField',
        description: 'This field is not known.',
        ...(PLAIN_NAME.test(key) && { field: [...issue.path, key].join('.') }),
      }));
    }
    const field = issue.path.join('.');
    return [
      {
        code: codeOf(issue),
        description: field === '' ? UNREADABLE : issue.message,
        ...(field && { field }),
      },
    ];
  });
  const named = firstOfEach(errors).slice(0, MOST_NAMED);
  const sentences = new Set(named.map((fault) => fault.description));
  const [first = UNREADABLE] = sentences;
  return new HttpProblem(400, sentences.size === 1 ? first : 'Please check your details and try again.', {
    errors: named,
  });
}

/** Several checks of one field may fail. The first that says something of its own tells of it. */
function firstOfEach(errors: ProblemError[]): ProblemError[] {
  const byField = Map.groupBy(errors, ({ field }) => field);
  return errors.filter((error) => {
    if (error.field === undefined) return true;
    const all = byField.get(error.field) ?? [];
    return error === (all.find(({ description }) => description !== UNNAMED) ?? all[0]);
  });
}

/** The code named by a contract check, else the field's code, else `Invalid`. */
function codeOf(issue: z.core.$ZodIssue): string {
  const named = issue.code === 'custom' ? issue.params?.code : undefined;
  return typeof named === 'string' ? named : (FIELD_CODES[String(issue.path.at(-1))] ?? 'Invalid');
}
