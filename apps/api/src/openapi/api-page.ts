import { createHash } from 'node:crypto';
import type { ApiDescription, Content, Operation, Parameter, Schema } from './api-description.ts';

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2939 }
h2 { margin: 3rem 0 0; text-transform: capitalize }
h3 { font-size: 1rem; margin: 2rem 0 .25rem; border-top: 1px solid #d0d5dd; padding-top: 1rem }
code { font: .875rem ui-monospace, monospace; overflow-wrap: anywhere }
h3 code { font-size: 1rem }
h4 { margin: .75rem 0 0; font-size: .875rem; color: #475467 }
ul { margin: .25rem 0; padding-left: 1.25rem }
nav ul { columns: 2 }
p { white-space: pre-line }
`;

const text = (value: unknown) =>
  String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const list = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Renders the description as one static page that loads and runs nothing. */
export function renderApiPage({ info, paths, components }: ApiDescription) {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      group: operation.tags[0] ?? '',
      operation,
    })),
  );
  const groups = [...Map.groupBy(calls, ({ group }) => group)];
  const contents = calls.map(({ name }) => `<a href="#${anchor(name)}"><code>${text(name)}</code></a>`);
  const sections = groups.map(
    ([group, own]) =>
      `<h2>${text(group)}</h2>${own.map(({ name, operation }) => callPart(name, operation)).join('')}`,
  );
  const refusals = Object.entries(components.responses).map(
    ([status, { description }]) => `<code>${status}</code> ${text(description)}`,
  );
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>${text(info.title)} API</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${text(info.title)} API</h1><p>${text(info.description)}</p>`,
    '<p>For programs: <a href="openapi.json">openapi.json</a></p>',
    `<nav aria-label="Calls">${list(contents)}</nav>`,
    ...sections,
    `<h2 id="refusals">Refusals</h2>${list(refusals)}`,
    '</main></body></html>',
  ].join('');
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { html, headers: { 'content-security-policy': policy.join('; ') } };
}

const anchor = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-');

function callPart(
  name: string,
  { summary, security, parameters, requestBody, responses }: Operation,
): string {
  const keys = security.flatMap((scheme) => Object.keys(scheme));
  const own = Object.entries(responses).flatMap(([status, answer]) =>
    '$ref' in answer ? [] : [`<code>${status}</code>${contentPart(answer.content ?? {})}`],
  );
  const refusals = Object.keys(responses).filter((status) => '$ref' in (responses[status] ?? {}));
  return [
    `<h3 id="${anchor(name)}"><code>${text(name)}</code></h3><div>${text(summary)}</div>`,
    `<h4>Keys</h4>${keys.length > 0 ? text(keys.join(' and ')) : 'none'}`,
    parameters.length > 0 ? `<h4>Parameters</h4>${list(parameters.map(parameterPart))}` : '',
    requestBody ? `<h4>Body</h4>${contentPart(requestBody.content)}` : '',
    `<h4>Answers</h4>${list([...own, `<a href="#refusals">refusals</a> ${refusals.join(', ')}`])}`,
  ].join('');
}

function parameterPart({ name, in: place, required, description = '', schema }: Parameter): string {
  const words = [place, required ? 'required' : 'optional', kindOf(schema)].join(', ');
  return `<code>${text(name)}</code> ${text(words)}. ${text(description)}`;
}

function contentPart(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema = {} }]) => ` <code>${text(type)}</code>${schemaPart(schema)}`)
    .join('');
}

/** The fields of an object, or of each object in a list. */
function schemaPart(schema: Schema): string {
  const of = (schema.type === 'array' ? schema.items : schema) as Schema;
  const properties = Object.entries((of.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) return ` ${text(kindOf(schema))}`;
  const required = new Set((of.required ?? []) as string[]);
  const fields = properties.map(([name, field]) => {
    const words = `${kindOf(field)}${required.has(name) ? '' : ', optional'}`;
    const nested = /object/.test(kindOf(field)) ? schemaPart(field) : '';
    return `<code>${text(name)}</code> ${text(words)}${nested}`;
  });
  return (schema.type === 'array' ? ' a list of' : '') + list(fields);
}

/** A type in words: `string up to 100`, `integer or string`, `list of object`. */
function kindOf(schema: Schema): string {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return [...new Set(choices.map(kindOf))].join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.type === 'array') return `list of ${kindOf((schema.items ?? {}) as Schema)}`;
  const limit = typeof schema.maxLength === 'number' ? ` up to ${schema.maxLength}` : '';
  return `${schema.type ?? 'anything'}${limit}${schema.nullable ? ' or null' : ''}`;
}
