export interface Merchant {
  name: string;
  apiKey: string;
  pin: string;
  /** For Pay.js; works only under /pub/. */
  publicKey: string;
  /** Commands this key may not use (error 80). */
  forbiddenCommands?: string[];
}

/** Fixed, so that settings and examples can name them. They work nowhere else. */
export const MERCHANTS: Merchant[] = [
  {
    name: 'north',
    apiKey: '_emulatorNorthApiKey000000000001',
    pin: '1001',
    publicKey: '_emulatorNorthPublicKey00000000000000000000001',
  },
  {
    name: 'east',
    apiKey: '_emulatorEastApiKey0000000000002',
    pin: '1002',
    publicKey: '_emulatorEastPublicKey000000000000000000000002',
  },
  {
    name: 'south',
    apiKey: '_emulatorSouthApiKey000000000003',
    pin: '1003',
    publicKey: '_emulatorSouthPublicKey00000000000000000000003',
  },
  {
    name: 'west',
    apiKey: '_emulatorWestApiKey0000000000004',
    pin: '1004',
    publicKey: '_emulatorWestPublicKey000000000000000000000004',
  },
  {
    name: 'portal',
    apiKey: '_emulatorPortalApiKey00000000000',
    pin: '1000',
    publicKey: '_emulatorPortalPublicKey0000000000000000000000',
  },
  {
    // The provider's published sample credentials, which some public clients send unchanged.
    name: 'sample',
    apiKey: '_V87Qtb513Cd3vabM7RC0TbtJWeSo8p7',
    pin: '123456',
    publicKey: '_emulatorSamplePublicKey0000000000000000000005',
  },
];
