import { clientAddress } from '../limits/client-address.ts';
import { cap, type Guard } from '../limits/limit.ts';

const WRONG_KEYS = cap('wrong API keys from one address', { max: 30, windowSeconds: 60 });

export const wrongKeyGuard = (ip: string): Guard => ({ limit: WRONG_KEYS, of: [clientAddress(ip)] });
