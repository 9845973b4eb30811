/** Headquarters see every franchise; office staff see the franchises they are given. */
export const HQ_ROLES = ['admin', 'finance', 'support'] as const;
export const OFFICE_ROLES = ['owner', 'clerk', 'viewer'] as const;
export const ROLES = [...HQ_ROLES, ...OFFICE_ROLES] as const;

export type Role = (typeof ROLES)[number];

export const RIGHTS = [
  'view',
  'invite',
  'refund',
  'approve',
  'review',
  'import',
  'settings',
  'keys',
  'staff',
  'audit',
  'payouts',
  'export',
] as const;

export type Right = (typeof RIGHTS)[number];

/** Which role may do what; franchises are limited elsewhere. Server and console both read this table. */
export const RIGHTS_OF: Record<Role, readonly Right[]> = {
  admin: RIGHTS,
  finance: ['view', 'refund', 'approve', 'review', 'audit', 'payouts', 'export'],
  support: ['view', 'invite'],
  owner: ['view', 'invite', 'refund', 'approve', 'import', 'settings', 'staff', 'audit', 'payouts', 'export'],
  clerk: ['view', 'invite', 'refund', 'import', 'export'],
  viewer: ['view'],
};

/** The rights that an API key may be given. */
export const KEY_RIGHTS = ['view', 'invite', 'import', 'export', 'refund'] as const satisfies Right[];

export type KeyRight = (typeof KEY_RIGHTS)[number];

export const isHqRole = (role: Role): boolean => (HQ_ROLES as readonly Role[]).includes(role);
