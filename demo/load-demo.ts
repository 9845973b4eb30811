import type { FranchiseSettings } from '@brightpane/contract/office';
import { DEMO_FRANCHISES, FRANCHISE_WITH_OWN_KEYS } from './demo-franchises.ts';
import { demoInvoices } from './demo-invoices.ts';

/** Loads the demo into a running portal, through the calls that an office uses. Safe to repeat. */
export async function loadDemo(options: {
  portalUrl: string;
  officeApiKey: string;
  /** The story's day, `YYYY-MM-DD`. */
  today: string;
  /** Keys of a merchant account at the card provider, for the franchise with its own. */
  franchiseKeys?: { apiKey: string; pin: string; publicKey: string };
}): Promise<void> {
  const { portalUrl, officeApiKey, today, franchiseKeys } = options;

  async function callOffice(method: string, path: string, contentType: string, body: string): Promise<void> {
    const answer = await fetch(`${portalUrl}/api/office${path}`, {
      method,
      headers: { authorization: `Bearer ${officeApiKey}`, 'content-type': contentType },
      body,
    });
    if (!answer.ok) throw new Error(`The demo cannot be loaded (${method} ${path}):\n${await answer.text()}`);
  }

  await callOffice('POST', '/import', 'text/csv', await demoInvoices({ today }));
  for (const [franchiseId, own] of DEMO_FRANCHISES) {
    const settings: FranchiseSettings = {
      ...own,
      ...(franchiseId === FRANCHISE_WITH_OWN_KEYS && franchiseKeys && { gateway: franchiseKeys }),
    };
    await callOffice('PUT', `/franchises/${franchiseId}`, 'application/json', JSON.stringify(settings));
  }
}
