import { env } from './env.ts';

type Thrown = Pick<ErrorEvent, 'filename' | 'message' | 'error'>;

/**
 * Once its frame is gone, the card provider's script throws on every later window message. That isn't the page's
 * fault: the payer has left the page.
 */
export function isFromGoneCardFrame(
  { filename, message, error }: Thrown,
  payJsUrl: string = env.payJsUrl,
): boolean {
  const isTypeError = error instanceof TypeError || message.includes('TypeError');
  const isProviders = filename.startsWith(`${new URL(payJsUrl).origin}/`);
  return isProviders && isTypeError && message.includes("'contentWindow'");
}
