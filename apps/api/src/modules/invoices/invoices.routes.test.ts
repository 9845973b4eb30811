import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { makeCharge } from '../../../test/factories/payments/charges.ts';
import { invoice } from '../../db/schema/franchises.ts';

const portal = useTestApp();
const search = (body: unknown) => call(portal, 'POST', '/user/invoice/search', { body });

describe('POST /user/invoice/search', () => {
  test('finds an invoice by franchise, work order and zip code', async () => {
    const made = await makeInvoice(portal.deps.db.query);

    const answer = await search({
      franchiseId: made.franchiseId,
      workOrderNumber: made.workOrderNumber,
      zipCode: '62704',
    });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      franchiseId: made.franchiseId,
      franchiseName: `Franchise ${made.franchiseId}`,
      franchisePhone: null,
      workOrderNumber: made.workOrderNumber,
      balanceDue: 108.25,
      amount: 108.25,
      salesTaxAmount: 8.25,
      salesTaxRate: 0.0825,
      dueDate: '2026-11-30T23:59:59-06:00',
      completedDate: '2026-11-03T12:00:00-06:00',
      tipsEnabled: true,
      addressLine1: 'Maple Street 12',
      city: 'Springfield',
      state: 'IL',
      services: ['Windows, inside and out'],
      payments: [],
      additionalServices: [],
      tips: [],
      workOrders: [{ locationId: made.locationId }],
      version: 1,
    });
  });

  test.each([
    ['an evening where the franchise is', '2026-11-04T01:30:00Z', '2026-11-03T19:30:00-06:00'],
    ['a summer night there', '2026-07-02T04:59:59Z', '2026-07-01T23:59:59-05:00'],
  ])('dates a payment of %s by the day there', async (_when, acceptedAt, paymentDate) => {
    const { invoiceId } = await makeCharge(portal.deps, { state: 'accepted', acceptedAt });
    const [numbers] = await portal.deps.db.query
      .select({ franchiseId: invoice.franchiseId, workOrderNumber: invoice.workOrderNumber })
      .from(invoice)
      .where(eq(invoice.id, invoiceId));
    const answer = await search({ ...numbers, zipCode: '62704' });
    expect(answer.json()).toMatchObject({ payments: [{ paymentDate, type: { description: 'Card' } }] });
  });

  test('takes the numbers as digits too, and a ZIP+4 for a zip', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const answer = await search({
      franchiseId: String(made.franchiseId),
      workOrderNumber: String(made.workOrderNumber),
      zipCode: ' 62704-1234 ',
    });
    expect(answer.statusCode).toBe(200);
  });

  test('gives null for missing dates', async () => {
    const made = await makeInvoice(portal.deps.db.query, { dueDate: null, completedDate: null });
    const answer = await search({
      ...made,
      customerId: undefined,
      locationId: undefined,
      invoiceId: undefined,
    });
    expect(answer.json()).toMatchObject({ dueDate: null, completedDate: null });
  });

  test('answers the same 404 whichever of the three numbers is wrong', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const right = {
      franchiseId: made.franchiseId,
      workOrderNumber: made.workOrderNumber,
      zipCode: made.zipCode,
    };
    const misses = [
      { ...right, franchiseId: 999_999 },
      { ...right, workOrderNumber: 999_999 },
      { ...right, zipCode: '10001' },
      { ...right, zipCode: '-' },
    ];
    for (const miss of misses) {
      const answer = await search(miss);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({
        title: 'Not Found',
        status: 404,
        detail: 'Invoice not found. Please check your information and try again.',
        errors: [],
      });
    }
  });

  test('never finds an invoice without a zip code', async () => {
    const made = await makeInvoice(portal.deps.db.query, { zipCode: '' });
    for (const zipCode of ['-', '0', 'null']) {
      const { franchiseId, workOrderNumber } = made;
      expect((await search({ franchiseId, workOrderNumber, zipCode })).statusCode).toBe(404);
    }
  });

  const right = { franchiseId: 1, workOrderNumber: 1, zipCode: '62704' };
  test.each([
    ['no franchise', { ...right, franchiseId: undefined }, 'franchiseId', 'Invalid franchise number'],
    ['franchise zero', { ...right, franchiseId: 0 }, 'franchiseId', 'Invalid franchise number'],
    ['a negative franchise', { ...right, franchiseId: -5 }, 'franchiseId', 'Invalid franchise number'],
    ['a franchise of letters', { ...right, franchiseId: 'abc' }, 'franchiseId', 'Invalid franchise number'],
    ['a fraction of a franchise', { ...right, franchiseId: 1.5 }, 'franchiseId', 'Invalid franchise number'],
    ['a huge franchise', { ...right, franchiseId: 1e15 }, 'franchiseId', 'Invalid franchise number'],
    ['a list', { ...right, franchiseId: [1] }, 'franchiseId', 'Invalid franchise number'],
    ['work order zero', { ...right, workOrderNumber: '0' }, 'workOrderNumber', 'Invalid work order number'],
    ['no work order', { ...right, workOrderNumber: null }, 'workOrderNumber', 'Invalid work order number'],
    [
      'a huge work order',
      { ...right, workOrderNumber: '99999999999999' },
      'workOrderNumber',
      'Invalid work order number',
    ],
    ['no zip', { ...right, zipCode: undefined }, 'zipCode', 'Please enter your zip code.'],
    ['a blank zip', { ...right, zipCode: '  ' }, 'zipCode', 'Please enter your zip code.'],
    ['a zip that is a number', { ...right, zipCode: 62704 }, 'zipCode', 'Please enter your zip code.'],
    [
      'a long zip',
      { ...right, zipCode: '1'.repeat(21) },
      'zipCode',
      'Please shorten your zip code to 20 characters.',
    ],
    ['a zip with a NUL', { ...right, zipCode: '627\u000004' }, 'zipCode', 'Please check your zip code.'],
    ['an unknown field', { ...right, balanceDue: 0 }, 'balanceDue', 'This field is not known.'],
  ])('%s is refused with a sentence for its field', async (_what, body, field, description) => {
    const answer = await search(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      status: 400,
      detail: description,
      errors: [{ description, field }],
    });
  });

  test.each([
    ['no body', undefined],
    ['a body that is not an object', '"text"'],
    ['broken JSON', '{"franchiseId":'],
    ['a prototype', '{"__proto__":{"a":1},"franchiseId":1,"workOrderNumber":1,"zipCode":"1"}'],
  ])('%s is refused in the problem shape', async (_what, payload) => {
    const answer = await call(portal, 'POST', '/user/invoice/search', {
      body: payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ title: 'Bad Request', status: 400 });
  });

  test.each([
    ['none', {}],
    ['a wrong one', { 'x-apisecret': 'guess' }],
  ])('with %s for its shared secret it is refused', async (_what, headers) => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/user/invoice/search',
      headers,
      payload: right,
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ title: 'Unauthorized', status: 401 });
  });
});
