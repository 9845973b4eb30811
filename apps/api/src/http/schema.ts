import { FIELD_CODES } from '@brightpane/contract/problem';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler, FastifyTypeProvider } from 'fastify';
import * as z from 'zod';
import { HttpProblem, UNREADABLE } from './problem.ts';

/** Lets a route say its body, parameters and answers as the contract's zod schemas. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

export const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (data) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: toProblem(parsed.error) };
  };
};

/** Answers go out through a serializer compiled from the schema: several times faster than checking them with zod. */
export const compileSerializer: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const jsonSchema = z.toJSONSchema(schema, { target: 'openapi-3.0' });
  return fastJsonStringify(jsonSchema as fastJsonStringify.Schema);
};

/** Anybody may have made up the name of an unknown field: what is not plainly a name is not repeated. */
const PLAIN_NAME = /^[a-z]{1,30}$/i;
const MOST_NAMED = 100;

/** One sentence for a person to read; every fault by its field for a form to show. */
function toProblem(error: z.ZodError): HttpProblem {
  const errors = error.issues.flatMap((issue) => {
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
  const named = errors.slice(0, MOST_NAMED);
  const sentences = new Set(named.map((fault) => fault.description));
  const [first = UNREADABLE] = sentences;
  return new HttpProblem(400, sentences.size === 1 ? first : 'Please check your details and try again.', {
    errors: named,
  });
}

/** A check of the contract may name its fault, and a field may have a code; most are simply invalid. */
function codeOf(issue: z.core.$ZodIssue): string {
  const named = issue.code === 'custom' ? issue.params?.code : undefined;
  return typeof named === 'string' ? named : (FIELD_CODES[String(issue.path.at(-1))] ?? 'Invalid');
}
