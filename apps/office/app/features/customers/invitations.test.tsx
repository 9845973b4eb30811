import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { Invitations } from './invitations.tsx';

const CUSTOMER: OfficeCustomer = {
  franchiseId: 11,
  franchiseName: 'Clearwater Windows',
  timeZone: 'America/Chicago',
  customerNumber: 7,
  name: 'Ann Lee',
  email: null,
  open: 0,
  overdue: 0,
  account: 'none',
  locationCount: 0,
  locations: [],
  invoices: [],
  payments: [],
  people: [],
  invitations: [],
  notes: [],
};

const invitedAt = (email: string): string =>
  wordsOf(
    <Invitations
      customer={{
        ...CUSTOMER,
        invitations: [
          {
            invitationId: 'one',
            email,
            sentAt: '2026-11-20T18:00:00Z',
            expiresAt: '2026-12-20T18:00:00Z',
            state: 'withdrawn',
          },
        ],
      }}
    />,
    { rights: ['invite'] },
  );

test('an invitation can be sent again, except to an account that was closed', () => {
  expect(invitedAt('ann@example.com')).toContain('Send again');
  const words = invitedAt('closed-3f6f0c1e-8d5a-4a57-9a3b-0d4f6f0f3a11-2@invalid');
  expect(words).toContain('Account closed Withdrawn');
  expect(words).not.toContain('Send again');
  expect(words).not.toContain('@invalid');
});
