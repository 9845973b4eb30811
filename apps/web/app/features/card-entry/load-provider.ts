import { env } from '../../lib/env.ts';

/** The part of the card provider's script that we use. */
export type Provider = { Client: new (publicKey: string) => ProviderClient };

export type ProviderClient = {
  createPaymentCardEntry: () => CardEntry;
  getPaymentKey: (entry: CardEntry) => Promise<unknown>;
};

export type CardEntry = {
  generateHTML: (config: object) => unknown;
  addHTML: (containerId: string) => void;
  addEventListener: (type: 'error', listener: (payload: unknown) => void) => void;
};

declare global {
  interface Window {
    usaepay?: Provider;
  }
}

const LONGEST_WAIT_MILLISECONDS = 20_000;

let loading: Promise<Provider> | null = null;
let failures = 0;

/**
 * Loads the provider's script once. It must be a script element of the page, because the provider looks for that
 * element to find its own origin. After a failure the next call tries again, under another URL: the browser would wait
 * for the same request if that one hangs.
 */
export function loadProvider(): Promise<Provider> {
  const url = new URL(env.payJsUrl);
  if (failures > 0) url.searchParams.set('try', `${failures + 1}`);
  loading ??= addScript(url.href).catch((error) => {
    loading = null;
    failures += 1;
    throw error;
  });
  return loading;
}

function addScript(url: string): Promise<Provider> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const timer = setTimeout(fail, LONGEST_WAIT_MILLISECONDS);
    script.src = url;
    script.onload = () => {
      clearTimeout(timer);
      if (window.usaepay) resolve(window.usaepay);
      else fail();
    };
    script.onerror = fail;
    document.head.append(script);

    function fail() {
      clearTimeout(timer);
      script.remove();
      reject(new Error('The card provider did not load'));
    }
  });
}
