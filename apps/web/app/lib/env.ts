/** The deployment's settings, which the API server writes into every page, so that one build serves them all. */
export type Env = {
  apiSecret: string;
  /** The card provider's client key where an invoice brings none; empty where there is none. */
  defaultPublicKey: string;
  payJsUrl: string;
  sentryDsn: string | null;
  /** Of the terms that this page's payer accepts; empty where the page came from no portal. */
  termsVersion: string;
  /** The terms themselves, on the page that shows them. */
  terms?: string;
};

const DEVELOPMENT: Env = {
  apiSecret: 'dev-api-secret',
  defaultPublicKey: '',
  payJsUrl: 'http://localhost:3001/js/v2/pay.js',
  sentryDsn: null,
  termsVersion: '',
};

/** Read once, at load: the element may be gone when React has had to draw the whole document anew. */
export const env: Env = readSettings(
  typeof document === 'undefined' ? null : document.getElementById('settings')?.textContent,
);

/** The settings in a page's block; whatever it leaves out is as in development. */
export function readSettings(text: string | null | undefined): Env {
  return { ...DEVELOPMENT, ...(text ? (JSON.parse(text) as Partial<Env>) : {}) };
}
