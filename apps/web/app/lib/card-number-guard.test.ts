import { holdsCardNumber } from '@brightpane/contract/card-number';
import { describe, expect, test } from 'vitest';
import {
  fieldsWithoutCardNumbers,
  TYPED_CARD_NUMBERS,
} from '../../../../packages/contract/test/fields-without-card-numbers.ts';
import { randomIds } from '../../test/random-ids.ts';
import { refuseCardNumbers } from './card-number-guard.ts';

const REFUSAL = 'Please take the card number out of this field.';
const fault = (field: string) => ({ code: 'CardDataNotAllowed', description: REFUSAL, field });

describe('what somebody typed', () => {
  const TYPED = [
    ...[
      'email',
      'password',
      'newPassword',
      'firstName',
      'lastName',
      'phone',
      'street',
      'address',
      'address2',
      'city',
    ],
    ...['state', 'postalCode', 'zipCode', 'franchiseId', 'franchiseNumber', 'workOrderNumber'],
    ...['additionalServicesNote', 'maskedCard'],
  ];
  const SPELLINGS = [
    '4000100011112224',
    '4000 1000 1111 2224',
    '4000-1000-1111-2224',
    'my card is 378282246310005, thanks',
  ];

  test.each(TYPED)('%s is refused with a card number, in whatever groups of digits', (name) => {
    for (const typed of SPELLINGS) {
      expect(refuseCardNumbers({ body: { [name]: typed } })).toEqual({
        title: 'Bad Request',
        status: 400,
        detail: REFUSAL,
        errors: [fault(name)],
      });
      expect(refuseCardNumbers({ query: { [name]: typed } })?.errors).toEqual([fault(name)]);
    }
  });

  test('is named by its place in the call', () => {
    const workOrders = [{ additionalServicesNote: 'no' }, { additionalServicesNote: '4000-1000-1111-2224' }];
    expect(refuseCardNumbers({ body: { workOrders } })?.errors).toEqual([
      fault('workOrders.1.additionalServicesNote'),
    ]);
  });

  test.each([
    {},
    { body: { franchiseId: '11', workOrderNumber: '1001', zipCode: '62704-1234' } },
    { body: { maskedCard: '400010xxxxxx2224', tipAmount: 4000100011112224, additionalServicesNote: null } },
    // Would pass for a 13-digit card number, if it weren't for the plus.
    { body: { phone: '+49 1512 3456787' } },
  ])('is sent where it holds none: %j', (options) => {
    expect(refuseCardNumbers(options)).toBeNull();
  });
});

test('every field in which the API refuses a card number is judged', () => {
  const fields = fieldsWithoutCardNumbers(
    import.meta.glob('../../../../packages/contract/src/{customers,invoices}/*.ts', { eager: true }),
  );
  expect(fields).toContain('additionalServicesNote');
  for (const name of fields) {
    const [typed] = TYPED_CARD_NUMBERS;
    expect(refuseCardNumbers({ body: { [name]: typed } }), name).not.toBeNull();
  }
});

const MILLION = 1_000_000;

describe('a million of each kind of id that calls carry', () => {
  const CALLS: [kind: keyof typeof randomIds, field: string][] = [
    ['uuid', 'paymentMethodId'],
    ['paymentKey', 'paymentKey'],
    ['base64url', 'refreshToken'],
    ['base64url', 'token'],
    ['base64url', 'passwordToken'],
    ['digits', 'locationId'],
  ];
  test.each(CALLS)('%s as %s: none is refused', (kind, field) => {
    const next = randomIds[kind](20_261_122);
    let refused = 0;
    for (let count = 0; count < MILLION; count++) {
      if (refuseCardNumbers({ body: { [field]: next() } })) refused += 1;
    }
    expect(refused).toBe(0);
  });

  test('holds such as look like card numbers', () => {
    const next = randomIds.uuid(20_261_122);
    const lookAlikes = Array.from({ length: 100_000 }, next).filter(holdsCardNumber).length;
    expect(lookAlikes).toBeGreaterThan(50);
  });
});

test('the card that could never be used can be chosen, paid with and removed', () => {
  const id = '46476358-3756-4dbe-a5af-73445f63f44d';
  expect(holdsCardNumber(id)).toBe(true);
  expect(refuseCardNumbers({ body: { paymentMethodId: id, workOrders: [] } })).toBeNull();
});
