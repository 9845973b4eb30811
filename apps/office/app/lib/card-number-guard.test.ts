import { expect, test } from 'vitest';
import {
  fieldsWithoutCardNumbers,
  TYPED_CARD_NUMBERS,
} from '../../../../packages/contract/test/fields-without-card-numbers.ts';
import { refuseCardNumbers } from './card-number-guard.ts';

test('every field in which the API refuses a card number is judged', () => {
  const fields = fieldsWithoutCardNumbers(
    import.meta.glob('../../../../packages/contract/src/{office,review,office/*}.ts', { eager: true }),
  );
  expect(fields).toContain('note');
  for (const name of fields) {
    const [typed] = TYPED_CARD_NUMBERS;
    expect(refuseCardNumbers([undefined, { [name]: typed }]), name).not.toBeNull();
  }
});

test.each(['apiKey', 'pin', 'publicKey'])('a %s may hold digits like those of a card', (name) => {
  expect(refuseCardNumbers([{ gateway: { [name]: 'Xa_4000100011112224' } }])).toBeNull();
});
