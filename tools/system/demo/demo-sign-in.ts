import { type DemoPortal, invite, makeDemoAccount } from './demo-account.ts';

export const DEMO_SIGN_IN = { email: 'dana@example.com', password: 'three tall windows' };

/** Makes the demo customer's account. A second office's invitation is left to accept. */
export async function makeDemoSignIn(portal: DemoPortal): Promise<void> {
  const dana = { ...DEMO_SIGN_IN, firstName: 'Dana', lastName: "O'Leary" };
  await makeDemoAccount(portal, { ...dana, franchiseId: 11, customerNumber: 501 });
  await invite(portal, { franchiseId: 12, customerNumber: 701, email: dana.email });
}
