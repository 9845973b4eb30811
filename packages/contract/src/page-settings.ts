/** A page's deployment settings. The server writes them into each page, so that one build serves all deployments. */
export type PageSettings = {
  apiSecret: string;
  /** The portal's own client key at the provider: for saving a card, and for guests of franchises without a key. */
  defaultPublicKey: string;
  payJsUrl: string;
  sentryDsn: string | null;
  /** The version of the terms that this page's payer accepts; empty if no portal served the page. */
  termsVersion: string;
  /** The text of the terms, only on the page that shows them. */
  terms?: string;
};

/** The console's page settings. They hold no secret and nothing of the card provider. */
export type OfficePageSettings = {
  /** The origin of cookies and passkeys; empty if no portal served the page. */
  officeUrl: string;
  sentryDsn: string | null;
  isDemo: boolean;
};
