import type { Deps } from '../../../src/deps.ts';
import { call, type TestApp, useTestApp } from '../../build-test-app.ts';
import type { EmulatedMerchant, TestEmulator } from '../../emulator.ts';
import { GUEST } from '../guest.ts';

/** An app with the emulator as its provider, on the portal's own merchant account. */
export function usePaymentsApp(
  emulator: TestEmulator,
  settings: () => Record<string, string> = () => ({}),
  given: Partial<Deps> = {},
): TestApp {
  return useTestApp(
    async () => ({
      ...gatewaySettings(emulator, await emulator.merchant('portal')),
      ...settings(),
    }),
    given,
  );
}

export function gatewaySettings(emulator: Pick<TestEmulator, 'apiUrl'>, merchant: EmulatedMerchant) {
  return {
    USAEPAY_URL: emulator.apiUrl,
    USAEPAY_API_KEY: merchant.apiKey,
    USAEPAY_PIN: merchant.pin,
    USAEPAY_PUBLIC_KEY: merchant.publicKey,
  };
}

type Payable = { franchiseId: number; workOrderNumber: number; zipCode?: string };

/** The body of a guest's payment; a test names only what it is about. */
export async function guestSale(
  emulator: TestEmulator,
  { franchiseId, workOrderNumber, zipCode }: Payable,
  given: Record<string, unknown> & { card?: string; merchant?: string } = {},
): Promise<Record<string, unknown>> {
  const { card, merchant, ...fields } = given;
  return {
    franchiseId,
    workOrderNumber,
    ...(zipCode !== undefined && { zipCode }),
    ...GUEST,
    legalAccepted: true,
    paymentKey: await emulator.mintPaymentKey({ ...(card && { card }), ...(merchant && { merchant }) }),
    ...fields,
  };
}

export function payAsGuest(portal: TestApp, body: unknown, headers: Record<string, string> = {}) {
  return call(portal, 'POST', '/usaepay/guestsale', { body, headers });
}
