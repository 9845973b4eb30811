import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import type { StaffMember } from './staff-member.ts';
import { StaffScreen } from './staff-screen.tsx';

const OWNER: StaffMember = {
  staffId: 'one',
  email: 'olive@example.com',
  firstName: 'Olive',
  lastName: 'Owner',
  role: 'owner',
  franchiseIds: [],
  version: 1,
  state: 'active',
  isHeld: false,
  passkeys: 1,
  hasApp: false,
  lastSignInAt: null,
  mayChange: false,
};

test('offices of one name are told apart by their numbers', () => {
  const franchises = [11, 12].map((franchiseId) => ({
    franchiseId,
    name: 'Clearwater Windows',
    timeZone: 'America/Chicago',
  }));
  const words = wordsOf(<StaffScreen staff={[{ ...OWNER, franchiseIds: [12] }]} />, { franchises });
  expect(words).toContain('Clearwater Windows, 12');
});
