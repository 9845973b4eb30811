import type { Waiting } from '@brightpane/contract/office/waiting';
import type { Right } from '@brightpane/contract/office-rights';

/** A link of the sidebar. Only shown with the right; the server checks each call anyway. */
export type NavItem = {
  to: string;
  text: string;
  right: Right | null;
  /** What may wait there, and the words for screen readers beside its number. */
  waits?: { name: keyof Waiting; one: string; many: string };
};

/** In the order of a day's work. */
export const NAV_ITEMS: NavItem[] = [
  {
    to: '/payments',
    text: 'Payments',
    right: 'view',
    waits: { name: 'credits', one: 'credit to look at', many: 'credits to look at' },
  },
  {
    to: '/invoices',
    text: 'Invoices',
    right: 'view',
    waits: { name: 'overpaid', one: 'overpaid', many: 'overpaid' },
  },
  { to: '/customers', text: 'Customers', right: 'view' },
  {
    to: '/refunds',
    text: 'Refunds',
    right: 'view',
    waits: { name: 'refunds', one: 'waits for somebody', many: 'wait for somebody' },
  },
  { to: '/import', text: 'Import', right: 'import' },
  {
    to: '/review',
    text: 'Review',
    right: 'review',
    waits: { name: 'review', one: 'to review', many: 'to review' },
  },
  { to: '/audit', text: 'Audit', right: 'audit' },
  { to: '/settings', text: 'Settings', right: 'view' },
];

/** The links inside Settings. */
export const SETTINGS_ITEMS: NavItem[] = [
  { to: '/settings/account', text: 'Your account', right: null },
  { to: '/settings/franchise', text: 'Franchise', right: 'settings' },
  { to: '/settings/staff', text: 'Staff', right: 'staff' },
  { to: '/settings/api-keys', text: 'API keys', right: 'keys' },
  { to: '/settings/merchant-account', text: 'Merchant account', right: 'keys' },
];
