import { merchantKeys } from '../merchant-keys.ts';
import { sendForDemo } from './send-for-demo.ts';

/** A key for one charge of a card, as the provider's frame creates it in a browser. */
export async function mintPaymentKey(
  emulatorUrl: string,
  { merchant, number }: { merchant: string; number: string },
): Promise<string> {
  const { publicKey } = await merchantKeys(emulatorUrl, merchant);
  const { key } = await sendForDemo<{ key: string }>(
    `${emulatorUrl}/api/v2/pub/payment_keys`,
    { authorization: `Basic ${btoa(`${publicKey}:s2//`)}` },
    { creditcard: { number, expiration: '1235', cvc: '123' } },
  );
  return key;
}
