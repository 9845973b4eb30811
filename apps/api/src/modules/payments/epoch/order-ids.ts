import { randomBytes } from 'node:crypto';

const BYTES = 12;
const UNIQUE_PART = new RegExp(`^[0-9a-f]{${2 * BYTES}}$`);

/** An order id that no other charge has, of the deployment with this prefix. */
export const newOrderId = (prefix: string): string => `${prefix}-${randomBytes(BYTES).toString('hex')}`;

/** Whether a deployment with one of these prefixes made it. People at a merchant type ids that resemble ours, too. */
export const isOrderOf = (prefixes: string[], orderId: string): boolean =>
  prefixes.some((prefix) => orderId.startsWith(prefix) && UNIQUE_PART.test(orderId.slice(prefix.length)));
