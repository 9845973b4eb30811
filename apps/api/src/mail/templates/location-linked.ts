import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

export type LinkedLocation = {
  address: string;
  franchiseName: string;
  /** Where the account's locations can be viewed and removed. */
  portalUrl: string;
};

/** Tells an account's owner that it now sees another location's invoices; anyone with three numbers can add one. */
export function locationLinked({ address, franchiseName, portalUrl }: LinkedLocation): MailContent {
  return mailLayout({
    subject: 'A location was added to your account',
    parts: [
      {
        kind: 'paragraph',
        text: 'You can now see and pay the invoices of this location with your account.',
      },
      {
        kind: 'table',
        rows: [
          { label: 'Address', value: address },
          { label: 'Serviced by', value: franchiseName },
        ],
      },
      {
        kind: 'paragraph',
        text: 'If this was not you, remove the location from your account and choose a new password.',
      },
      { kind: 'button', label: 'See your invoices', url: portalUrl },
    ],
  });
}
