import type { FranchiseSettings } from '@brightpane/contract/office';

/** Settings of the demo's three franchises that the import doesn't carry, by franchise number. */
export const DEMO_FRANCHISES: ReadonlyMap<number, FranchiseSettings> = new Map([
  [
    11,
    {
      phone: '(708) 555-0111',
      email: 'office@clear-view.example.com',
      address: '730 Harrison Street, Oak Park, IL 60304',
    },
  ],
  [
    12,
    {
      phone: '(310) 555-0112',
      email: 'office@bright-bay.example.com',
      address: '1601 Main Street, Venice, CA 90291',
    },
  ],
  [
    13,
    {
      phone: '(617) 555-0113',
      email: 'office@harbor-glass.example.com',
      address: '5 Commercial Wharf, Boston, MA 02110',
    },
  ],
]);

/** Has its own keys at the card provider; the others use the portal's account. */
export const FRANCHISE_WITH_OWN_KEYS = 12;
