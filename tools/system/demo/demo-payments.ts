import { DEMO_SIGN_IN } from './demo-sign-in.ts';
import { mintPaymentKey } from './mint-payment-key.ts';
import { sendForDemo } from './send-for-demo.ts';

const CARD = '4000100011112224';

/** The demo customer's earlier payments: one with a tip, one with an additional service. */
const PAID = [
  { workOrderNumber: 1011, tipAmount: 10 },
  { workOrderNumber: 1012, additionalServiceAmount: 15, additionalServicesNote: 'Awning frame' },
];

/** Saves a card for the demo's customer and pays with it, so that there is a history to show. */
export async function makeDemoPayments(options: {
  portalUrl: string;
  emulatorUrl: string;
  apiSecret: string;
}): Promise<void> {
  const { portalUrl, emulatorUrl, apiSecret } = options;
  const secret = { 'x-apisecret': apiSecret };
  const { accessToken } = await sendForDemo<{ accessToken: string }>(
    `${portalUrl}/api/authentication/login`,
    secret,
    DEMO_SIGN_IN,
  );
  const signedIn = { ...secret, authorization: `Bearer ${accessToken}` };
  const cards = `${portalUrl}/api/usaepay/portal/paymentmethods`;
  const address = { street: '214 N Maple Street', postalCode: '60302' };
  const paymentKey = await mintPaymentKey(emulatorUrl, { merchant: 'portal', number: CARD });
  await sendForDemo(cards, signedIn, { paymentKey, maskedCard: '4000xxxxxxxx2224', ...address });
  const [card] = await sendForDemo<{ id: string }[]>(cards, signedIn);
  for (const line of PAID) {
    await sendForDemo(`${portalUrl}/api/usaepay/customerportalsale`, signedIn, {
      paymentMethodId: card?.id,
      sendReceipt: false,
      legalAccepted: true,
      workOrders: [{ franchiseId: 11, ...line }],
    });
  }
}
