type Keys = { apiKey: string; pin: string; publicKey: string };

/** The keys of one of the emulator's merchant accounts. */
export async function merchantKeys(emulatorUrl: string, name: string): Promise<Keys> {
  const answer = await fetch(`${emulatorUrl}/_emulator/merchants`);
  const found = ((await answer.json()) as (Keys & { name: string })[]).find(
    (merchant) => merchant.name === name,
  );
  if (found === undefined) throw new Error(`The emulator has no merchant account "${name}".`);
  const { apiKey, pin, publicKey } = found;
  return { apiKey, pin, publicKey };
}

/** The portal's settings for its merchant account at the emulator. */
export async function portalMerchant(emulatorUrl: string): Promise<Record<string, string>> {
  const { apiKey, pin, publicKey } = await merchantKeys(emulatorUrl, 'portal');
  return {
    USAEPAY_URL: `${emulatorUrl}/api/v2`,
    USAEPAY_API_KEY: apiKey,
    USAEPAY_PIN: pin,
    USAEPAY_PUBLIC_KEY: publicKey,
  };
}
