import { expect, test } from 'vitest';
import { refuseCardNumbers } from './card-number-guard.ts';

const REFUSAL = 'Please take the card number out of this field.';
const fault = (field: string) => ({ code: 'CardDataNotAllowed', description: REFUSAL, field });

test.each([
  [{ body: { email: 'zoe@example.com', password: '4000 1000 1111 2224' } }, ['password']],
  [{ query: { email: '4000100011112224@example.com' } }, ['email']],
  [{ params: { id: '378282246310005' } }, ['id']],
  [
    {
      body: {
        workOrders: [{ additionalServicesNote: 'no' }, { additionalServicesNote: '4000-1000-1111-2224' }],
      },
    },
    ['workOrders.1.additionalServicesNote'],
  ],
  [{ body: { firstName: '4222222222222', lastName: '5555444433332226' } }, ['firstName', 'lastName']],
])('a call with %j does not leave the browser', (options, fields) => {
  expect(refuseCardNumbers(options)).toEqual({
    title: 'Bad Request',
    status: 400,
    detail: REFUSAL,
    errors: fields.map(fault),
  });
});

test.each([
  {},
  { body: { franchiseId: '11', workOrderNumber: '1001', zipCode: '62704-1234' } },
  { body: { paymentKey: 'jLVDpx', maskedCard: '400010xxxxxx2224', tipAmount: 4000100011112224, note: null } },
])('a call with %j does', (options) => {
  expect(refuseCardNumbers(options)).toBeNull();
});
