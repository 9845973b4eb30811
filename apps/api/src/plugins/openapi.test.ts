import { createHash } from 'node:crypto';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { expect, test } from 'vitest';
import { useTestApp } from '../../test/build-test-app.ts';
import { readApi } from '../../test/hostile/described-api.ts';
import { CALL_NOTES } from '../openapi/call-notes.ts';

const portal = useTestApp();

type Operation = {
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { properties: object } }> }>;
};

async function readDescription() {
  const answer = await portal.app.inject('/api/openapi.json');
  return answer.json<{
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Record<string, unknown> };
  }>();
}

async function operationsByName(): Promise<Map<string, Operation>> {
  const { paths } = await readDescription();
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  );
}

test('every call is described, and nothing is that there is not', async () => {
  const served = [...(await operationsByName()).keys()];
  expect(served.toSorted()).toEqual(Object.keys(CALL_NOTES).toSorted());
  const ofTheContract = Object.values(ENDPOINTS).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(served).toEqual(expect.arrayContaining(ofTheContract));
});

test('tests look an answer up under its own call, however alike two addresses are', async () => {
  const api = await readApi(portal);
  const names = [...(await operationsByName()).keys()];
  const found = names.map((name) => {
    const [method = '', path] = name.split(' ');
    return api.nameOf({ method, url: `/api${path}` });
  });
  expect(found).toEqual(names);
});

test('describes what a call takes, what it answers, and what it needs', async () => {
  const search = (await operationsByName()).get('POST /user/invoice/search');
  expect(search?.requestBody?.content['application/json']?.schema).toMatchObject({
    type: 'object',
    required: ['franchiseId', 'workOrderNumber', 'zipCode'],
    additionalProperties: false,
  });
  expect(search?.responses['200']?.content?.['application/json']?.schema.properties).toHaveProperty(
    'balanceDue',
  );
  expect(Object.keys(search?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '400', '401', '404', '413', '415', '429', '500', '503']),
  );
  expect(search?.security).toEqual([{ app: [] }]);
});

test('describes the headers that a payment uses', async () => {
  const operations = await operationsByName();
  const headersOf = (name: string) =>
    operations
      .get(name)
      ?.parameters.filter((parameter) => parameter.in === 'header')
      .map((parameter) => parameter.name);
  expect(headersOf('POST /usaepay/guestsale')).toEqual(['Idempotency-Key', 'If-Match', 'Terms-Version']);
  expect(headersOf('POST /usaepay/customerportalsale')).toEqual(['Idempotency-Key', 'Terms-Version']);
});

test('describes the headers that the office’s calls read, and whether they need them', async () => {
  const operations = await operationsByName();
  const headersOf = (name: string) =>
    operations
      .get(name)
      ?.parameters.filter((parameter) => parameter.in === 'header')
      .map(({ name: header, required }) => [header, required]);
  expect(headersOf('POST /office/payments/{paymentId}/refunds')).toEqual([['Idempotency-Key', true]]);
  expect(headersOf('POST /office/refunds/{refundId}/send-again')).toEqual([['Idempotency-Key', true]]);
  expect(headersOf('POST /office/staff')).toEqual([['Idempotency-Key', false]]);
  expect(headersOf('PUT /office/franchises/{franchiseId}')).toEqual([['If-Match', false]]);
  expect(headersOf('POST /office/refunds/{refundId}/decide')).toEqual([['If-Match', false]]);
  const statuses = Object.keys(operations.get('POST /office/payments/{paymentId}/notes')?.responses ?? {});
  expect(statuses).toContain('422');
});

test('describes a download as the file that it is', async () => {
  const operations = await operationsByName();
  const files = [...operations].filter(([name]) => name.endsWith('.csv'));
  expect(files).toHaveLength(5);
  for (const [name, { responses }] of files) {
    expect([name, Object.keys(responses[200]?.content ?? {})]).toEqual([name, ['text/csv']]);
    expect(responses).not.toHaveProperty('204');
  }
});

test('asks for those query parameters alone without which a call is refused', async () => {
  const required = [...(await operationsByName())].flatMap(([name, { parameters }]) =>
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map((parameter) => `${name} ${parameter.name}`),
  );
  expect(required.toSorted()).toEqual([
    'GET /documents/{file} expires',
    'GET /documents/{file} signature',
    'GET /office/customers/{franchiseId}/{customerNumber}/statement from',
    'GET /office/customers/{franchiseId}/{customerNumber}/statement to',
    'GET /office/customers/{franchiseId}/{customerNumber}/statement.csv from',
    'GET /office/customers/{franchiseId}/{customerNumber}/statement.csv to',
    'GET /user/statements year',
    'POST /office/import/preview importId',
    'POST /user/resetpassword email',
  ]);
});

test('describes both forms of an import', async () => {
  const imports = (await operationsByName()).get('POST /office/import');
  expect(Object.keys(imports?.requestBody?.content ?? {})).toEqual(['text/csv', 'application/json']);
});

test('tells whether programs, people or both may make an office call', async () => {
  const operations = await operationsByName();
  const securityOf = (name: string) => operations.get(name)?.security;
  expect(securityOf('POST /office/import')).toEqual([{ office: [] }, { staff: [] }]);
  expect(securityOf('GET /office/me')).toEqual([{ staff: [] }]);
  expect(securityOf('POST /office/restored')).toEqual([{ office: [] }]);
});

test('every reference resolves', async () => {
  const description = await readDescription();
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)];
  expect(references).not.toEqual([]);
  for (const [, reference = ''] of references) {
    const [start, ...path] = reference.split('/');
    expect(start, reference).toBe('#');
    expect(description).toHaveProperty(path);
  }
});

test('the page shows every call, loads nothing and runs nothing', async () => {
  const page = await portal.app.inject('/api/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const name of Object.keys(CALL_NOTES)) expect(page.body).toContain(`<code>${name}</code>`);
  expect(page.body).not.toMatch(/<script|<link|<img|\bsrc=|\bon\w+=|style="/);

  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page.body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});
