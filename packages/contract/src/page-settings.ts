/** What a page knows about its deployment: the server writes it into each page, so that one build serves all deployments. */
export type PageSettings = {
  apiSecret: string;
  /** The portal's own client key at the card provider, for guests of franchises without one and for saving a card. */
  defaultPublicKey: string;
  payJsUrl: string;
  sentryDsn: string | null;
  /** Of the terms that this page's payer accepts; empty where the page came from no portal. */
  termsVersion: string;
  /** The terms themselves, on the page that shows them. */
  terms?: string;
};

/** The same for the console's page. It holds no secret and nothing of the card provider. */
export type OfficePageSettings = {
  /** What the paths of calls begin with. */
  apiBase: string;
  /** The origin that cookies and passkeys belong to; empty where the page came from no portal. */
  officeUrl: string;
  sentryDsn: string | null;
  isDemo: boolean;
};
