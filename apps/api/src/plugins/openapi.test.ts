import { expect, test } from 'vitest';
import { useTestApp } from '../../test/build-test-app.ts';

const portal = useTestApp();

test('the description of the API says what a call takes, answers and refuses', async () => {
  const answer = await portal.app.inject('/api/openapi.json');
  const search = answer.json().paths['/user/invoice/search'].post;
  expect(search.requestBody.content['application/json'].schema).toMatchObject({
    type: 'object',
    required: ['franchiseId', 'workOrderNumber', 'zipCode'],
    additionalProperties: false,
  });
  expect(search.responses['200'].content['application/json'].schema.properties).toHaveProperty('balanceDue');
  expect(search.responses.default.content['application/json'].schema.required).toContain('detail');
});
