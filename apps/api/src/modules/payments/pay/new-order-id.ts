import { randomBytes } from 'node:crypto';

const BYTES = 12;

/** An order id that no other charge has, of the deployment with this prefix. */
export const newOrderId = (prefix: string): string => `${prefix}-${randomBytes(BYTES).toString('hex')}`;
