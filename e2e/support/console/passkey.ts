import type { Page } from '@playwright/test';

/** A virtual passkey device of the person at this window, such as a phone with a fingerprint reader. */
export type PasskeyDevice = {
  /** Whether the device recognizes its owner from now on. */
  knowsPerson(knows: boolean): Promise<void>;
  /** How many passkeys it holds. */
  passkeys(): Promise<number>;
};

export async function addPasskeyDevice(page: Page): Promise<PasskeyDevice> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return {
    async knowsPerson(isUserVerified) {
      await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async passkeys() {
      return (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
    },
  };
}
