import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ApiKeysScreen } from './api-keys-screen.tsx';

test('without any key, the screen says so and offers to create one', () => {
  expect(wordsOf(<ApiKeysScreen apiKeys={[]} />)).toMatch(/^API keys · .+ No API keys\. Create key /);
});
