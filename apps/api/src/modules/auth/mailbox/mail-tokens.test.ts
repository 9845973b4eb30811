import { expect, test } from 'vitest';
import { confirmEmailMail } from '../../../mail/templates/confirm-email.ts';
import { invitationMail, invitationToAccountMail } from '../../../mail/templates/invitation.ts';
import { officeResetMail } from '../../../mail/templates/office-reset.ts';
import { resetPasswordMail } from '../../../mail/templates/reset-password.ts';
import { staffInvitationMail } from '../../../mail/templates/staff-invitation.ts';
import { mailTokenExpiry } from './mail-tokens.ts';

const link = 'https://pay.example/';
const names = { franchiseName: 'Bright North', customerName: 'Maple Court' };
const now = new Date('2026-11-27T12:00:00Z');

const inWords = (hours: number) =>
  hours === 1 ? 'one hour' : hours > 100 ? `${hours / 24} days` : `${hours} hours`;

test.each([
  ['confirm', confirmEmailMail({ link })],
  ['reset', resetPasswordMail({ link })],
  ['invitation', invitationMail({ ...names, link })],
  ['invitation', invitationToAccountMail({ ...names, signInLink: link })],
  ['staff', staffInvitationMail({ link })],
  ['office-reset', officeResetMail({ link })],
] as const)('a link to %s works as long as its mail says', (purpose, { text }) => {
  const expiry = mailTokenExpiry({ clock: () => now }, purpose);
  const hours = (expiry.getTime() - now.getTime()) / 3_600_000;
  expect(text).toContain(` for ${inWords(hours)}`);
});
