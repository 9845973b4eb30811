import type { Role } from '@brightpane/contract/office-rights';

const WORDS: Record<Role, string> = {
  admin: 'Admin',
  finance: 'Finance',
  support: 'Support',
  owner: 'Owner',
  clerk: 'Clerk',
  viewer: 'Viewer',
};

export const roleWord = (role: Role): string => WORDS[role];
