type Merchant = { name: string; apiKey: string; pin: string; publicKey: string };

/** The settings with which the portal uses the emulator's merchant account that is meant for it. */
export async function emulatorMerchant(emulatorUrl: string): Promise<Record<string, string>> {
  const portal = (await emulatorMerchants(emulatorUrl)).find(({ name }) => name === 'portal');
  if (portal === undefined) throw new Error('The emulator has no merchant account for the portal.');
  return {
    USAEPAY_URL: `${emulatorUrl}/api/v2`,
    USAEPAY_API_KEY: portal.apiKey,
    USAEPAY_PIN: portal.pin,
    USAEPAY_PUBLIC_KEY: portal.publicKey,
  };
}

export async function emulatorMerchants(emulatorUrl: string): Promise<Merchant[]> {
  const answer = await fetch(`${emulatorUrl}/_emulator/merchants`);
  return (await answer.json()) as Merchant[];
}
