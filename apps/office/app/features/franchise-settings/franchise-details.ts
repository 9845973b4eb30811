/** A franchise's settings, as `GET franchises/{id}` answers them. Amounts are dollars. */
export type FranchiseDetails = {
  franchiseId: number;
  name: string;
  phone: string | null;
  email: string | null;
  address: string | null;
  timeZone: string;
  maxCreditPercent: number;
  /** Sent back with a change, so that nobody writes over somebody else's. */
  version: number;
  merchantAccount: {
    merchantAccountId: number | string;
    kind: 'own' | 'portal';
    publicKey: string;
    since: string | null;
  };
};

export const FRANCHISE_CALL = { method: 'GET', path: '/office/franchises/:franchiseId' };
export const TEST_KEYS_CALL = { method: 'POST', path: '/office/franchises/:franchiseId/gateway/test' };
