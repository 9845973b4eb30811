import { describe, expect, test } from 'vitest';
import { judgePassword } from './password-policy.ts';

const judge = async (password: string) => {
  const judged = await judgePassword(password, { email: 'zoe.miller@example.com' });
  return judged.ok ? 'good' : judged.code;
};

describe('what everybody tries first is refused', () => {
  test.each([
    'password',
    'PASSWORD',
    'Password',
    'password1',
    'Password1',
    'password123',
    'passw0rd',
    '12345678',
    '123456789',
    '1234567890',
    '87654321',
    '11111111',
    '00000000',
    'aaaaaaaa',
    '        ',
    '🪟🪟🪟🪟🪟🪟🪟🪟',
    'qwertyui',
    'qwertyuiop',
    'QwErTyUiOp',
    'asdfghjkl',
    '1q2w3e4r',
    '1qaz2wsx',
    'zaq12wsx',
    'iloveyou',
    'sunshine',
    'princess',
    'football',
    'baseball',
    'superman',
    'trustno1',
    'starwars',
    'letmein1',
    'whatever',
    'computer',
    'internet',
    'corvette',
    'mercedes',
    'michelle',
    'jennifer',
    'welcome1',
    'dragon12',
    'abcd1234',
    'abc12345',
    'changeme',
    'brightpane',
    'Brightpane',
    'brightpane1',
    'Brightpane2026!',
    'invoice2026',
    'WindowCleaning1',
    'zoe.miller',
    'Zoe.Miller1!',
    'zoe.miller@example.com',
  ])('%s', async (password) => {
    expect(await judge(password)).toBe('password-too-common');
  });
});

describe('length is counted in characters', () => {
  test.each([
    ['seven', 'x7$kP0q', 'password-too-short'],
    ['eight', 'x7$kP0qz', 'good'],
    ['seven astral ones', '🪟🧽🪣🧼🚿🪠🧹', 'password-too-short'],
    ['eight astral ones', '🪟🧽🪣🧼🚿🪠🧹🧺', 'good'],
    ['128', 'ab'.repeat(64), 'good'],
    ['129', `${'ab'.repeat(64)}c`, 'password-too-long'],
    ['128 astral ones', '🪟🧽'.repeat(64), 'good'],
    ['128 that are 256 when decomposed', 'éè'.repeat(64).normalize('NFD'), 'good'],
  ])('%s', async (_what, password, expected) => {
    expect(await judge(password)).toBe(expected);
  });
});

describe('no rules of composition', () => {
  test.each([
    'only small letters here',
    'ONLY CAPITALS HERE',
    '8402 7163 9955',
    'пароль из слов',
    '窓を拭く人の歌を聴く',
    ' spaces at both ends ',
    '\t\u0000\u0007 control',
    "'; DROP TABLE app_user; --",
  ])('accepts %j', async (password) => {
    expect(await judge(password)).toBe('good');
  });
});

test('refuses a lone surrogate', async () => {
  expect(await judge('half of \ud83d one')).toBe('password-unreadable');
});
