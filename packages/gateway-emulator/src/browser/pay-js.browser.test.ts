import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type FrameLocator, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../../tools/machine/find-chromium.ts';
import { control, GatewayClient } from '../../test/gateway-client.ts';
import { type RunningEmulator, startEmulator } from '../start-emulator.ts';

// The card fields, embedded in a plain page of another origin with a strict policy.

let emulator: RunningEmulator;
let shop: Server;
let browser: Browser;
let context: BrowserContext;
let complaints: string[] = [];

/** What the page records for the tests. */
interface Shop {
  events: [type: string, payload: string][];
  outcomes: string[];
  keys: { key: string }[];
  messages: unknown[];
}

/** How the frame reports to the test. */
interface Heard {
  hear: (data: unknown) => void;
}

declare global {
  interface Window {
    shop: Shop;
    pay: () => void;
    usaepay: {
      Client: new (
        publicKey: string,
      ) => Record<
        'createPaymentCardEntry' | 'createPaymentCheckEntry' | 'createApplePayEntry' | 'createGooglePayEntry',
        () => { generateHTML(config?: object): unknown; checkCompatibility(): Promise<unknown> }
      >;
    };
  }
}

function shopPage(query: URLSearchParams, publicKey: string): string {
  const script = `${emulator.url}/js/v2/pay.js${query.get('script') ?? ''}`;
  return `<!doctype html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width">
<style nonce="n">:root { color-scheme: light dark } #card { height: 220px }</style></head>
<body><main><h1>Shop</h1><div id="card"></div></main><script src="${script}"></script><script nonce="n">
window.shop = { events: [], outcomes: [], keys: [], messages: [] };
addEventListener('message', ({ data }) => shop.messages.push(data));
const client = new usaepay.Client(${JSON.stringify(publicKey)});
const entry = client.createPaymentCardEntry();
for (const type of ['ready', 'error', 'paymentKey'])
  entry.addEventListener(type, (payload) => shop.events.push([type, payload]));
entry.generateHTML(${query.get('config') ?? '{}'});
entry.addHTML('card');
// Returns nothing: the promise may never end, and a test that awaited it would hang.
window.pay = () => void client.getPaymentKey(entry).then(
  (key) => { shop.outcomes.push('resolved'); shop.keys.push(key); },
  (error) => shop.outcomes.push('rejected: ' + error.message));
</script></body></html>`;
}

beforeAll(async () => {
  emulator = await startEmulator();
  shop = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-n' ${emulator.url}`,
      `frame-src ${emulator.url}`,
      "style-src 'nonce-n'",
      "base-uri 'none'",
      "form-action 'none'",
    ];
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
    });
    const key = url.searchParams.get('key') ?? '_emulatorPortalPublicKey0000000000000000000000';
    response.end(url.pathname === '/' ? shopPage(url.searchParams, key) : '');
  });
  await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve));
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
});

afterEach(async () => {
  await context?.close();
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  shop?.close();
  await emulator?.close();
});

interface Visit {
  config?: string;
  script?: string;
  key?: string;
  width?: number;
  dark?: boolean;
}

/** Opens the shop and waits until its card form is ready. */
async function visit({ width = 800, dark = false, ...query }: Visit = {}): Promise<[Page, FrameLocator]> {
  complaints = [];
  context = await browser.newContext({
    viewport: { width, height: 600 },
    colorScheme: dark ? 'dark' : 'light',
  });
  context.setDefaultTimeout(5000);
  const page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/?${new URLSearchParams(query)}`);
  const frame = page.frameLocator('#paymentCardIFrame');
  await frame.locator('form').waitFor();
  return [page, frame];
}

async function fill(
  frame: FrameLocator,
  number = '4000100011112224',
  expiration = '1230',
  cvv = '123',
): Promise<void> {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration').fill(expiration);
  await frame.getByLabel('CVV').fill(cvv);
}

const seen = (page: Page): Promise<Shop> => page.evaluate(() => window.shop);

const errorsOf = async (page: Page): Promise<Record<string, string>[]> =>
  (await seen(page)).events.filter(([type]) => type === 'error').map(([, payload]) => JSON.parse(payload));

describe('the messages between page and frame', () => {
  it("7.2: the frame is of the script's own origin, and says when it is ready", async () => {
    const [page] = await visit();
    const frame = page.locator('iframe#paymentCardIFrame');
    expect(await frame.getAttribute('src')).toMatch(new RegExp(`^${emulator.url}/js/v2/card.html#_`));
    expect((await seen(page)).events).toEqual([['ready', 'true']]);
    expect((await seen(page)).messages).toEqual(['ready::true']);
  });

  it('7.2: a card becomes a key with its first six and last four digits and its brand', async () => {
    const [page, frame] = await visit();
    await fill(frame, '6011222233332224');
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved']);
    expect((await seen(page)).keys).toEqual([
      {
        type: 'payment_key',
        key: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
        creditcard: { number: '601122xxxxxx2224', cardtype: 'Discover' },
      },
    ]);
    expect((await seen(page)).messages.at(-1)).toMatch(/^paymentKey::\{/);
  });

  it('2.7: the key pays', async () => {
    const [page, frame] = await visit();
    await fill(frame);
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).keys.length).toBe(1);
    const payment_key = (await seen(page)).keys[0]?.key;
    const portal = await GatewayClient.of(emulator.url);
    const answer = await portal.run('cc:authonly', { amount: '5.00', payment_key });
    expect(answer).toMatchObject({ result_code: 'A', cvc: { result_code: 'M' } });
  });

  it('7.2: an error is a JSON text, and an empty message means that it is cleared', async () => {
    const [page, frame] = await visit();
    await frame.getByLabel('CVV').pressSequentially('1');
    await frame.getByLabel('Card number').focus();
    await expect.poll(() => errorsOf(page)).toMatchObject([{ type: 'cvv', message: 'invalid length' }]);
    await frame.getByLabel('CVV').pressSequentially('23');
    await expect.poll(() => errorsOf(page)).toHaveLength(2);
    expect((await errorsOf(page))[1]).toEqual({ type: 'cvv', code: '0', message: '', reason: 'clear error' });
  });

  it('7.2: by default the promise of a refused card never settles, until a later key settles it too', async () => {
    const [page, frame] = await visit();
    await page.evaluate(() => window.pay());
    await expect
      .poll(() => errorsOf(page))
      .toMatchObject([
        { type: 'number', message: 'card number is required' },
        { type: 'expiration', message: 'expiration date is required' },
        { type: 'cvv', message: 'cvv is required' },
      ]);
    expect((await seen(page)).outcomes).toEqual([]);
    await fill(frame);
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved', 'resolved']);
    expect(new Set((await seen(page)).keys.map(({ key }) => key)).size).toBe(1);
  });

  it('7.2: asked to, it rejects with the error', async () => {
    const [page] = await visit({ script: '?errors=reject' });
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['rejected: card number is required']);
  });

  it("7.2: the switch makes every page's script reject", async () => {
    await control(emulator.url, 'POST', 'switches', { payJsRejects: true });
    const [page] = await visit();
    await control(emulator.url, 'POST', 'switches', { payJsRejects: false });
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toHaveLength(1);
  });

  it('7.3: reports an unknown public key as an error of the payment key', async () => {
    const [page, frame] = await visit({ key: '_nobody' });
    await fill(frame);
    await page.evaluate(() => window.pay());
    await expect.poll(() => errorsOf(page)).toMatchObject([{ type: 'paymentKey', code: '23' }]);
    // The browser itself logs the 401.
    await expect.poll(() => complaints).toEqual([expect.stringContaining('401')]);
    complaints = [];
  });

  it('messages of any other window are ignored', async () => {
    const [page] = await visit();
    await page.evaluate(() => window.postMessage('paymentKey::{"key":"forged"}', '*'));
    await expect.poll(async () => (await seen(page)).messages.length).toBe(2);
    expect((await seen(page)).events).toEqual([['ready', 'true']]);
  });

  it('7.2: generateHTML takes an object only', async () => {
    const [page] = await visit();
    const thrown = await page.evaluate(() => {
      try {
        new window.usaepay.Client('_x').createPaymentCardEntry().generateHTML();
      } catch (error) {
        return String(error);
      }
    });
    expect(thrown).toContain('TypeError');
  });
});

describe('the settings of the form', () => {
  it('7.2: styles are rules by class name, with pseudo classes, or plain CSS', async () => {
    const config = JSON.stringify({
      styles: {
        base: { fontSize: '20px', ':focus': { color: 'rgb(1, 2, 3)' } },
        container: { rowGap: '31px' },
      },
    });
    const [, frame] = await visit({ config });
    const input = frame.getByLabel('CVV');
    await input.focus();
    const styles = await input.evaluate((element) => {
      const { fontSize, color } = getComputedStyle(element);
      return { fontSize, color };
    });
    expect(styles).toEqual({ fontSize: '20px', color: 'rgb(1, 2, 3)' });
    expect(await frame.locator('form').evaluate((form) => getComputedStyle(form).rowGap)).toBe('31px');
    await context.close();
    const [, other] = await visit({
      config: JSON.stringify({ styles: '.payjs-label { color: rgb(4, 5, 6) }' }),
    });
    const color = await other.getByText('CVV').evaluate((label) => getComputedStyle(label).color);
    expect(color).toBe('rgb(4, 5, 6)');
  });

  it('7.2: labels, placeholders and error texts can be replaced', async () => {
    const config = JSON.stringify({
      labels: { cvv: 'Security code' },
      placeholders: { number: '1234 1234 1234 1234' },
      custom_error_messages: { number: { required: 'Enter the card number' } },
    });
    const [page, frame] = await visit({ config });
    expect(await frame.getByLabel('Security code').count()).toBe(1);
    expect(await frame.getByPlaceholder('1234 1234 1234 1234').getAttribute('name')).toBe('number');
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await errorsOf(page))[0]?.message).toBe('Enter the card number');
  });

  it('7.2: the CVV may be left out where it is not required', async () => {
    const [page, frame] = await visit({ config: '{"cvv_required":false}' });
    await fill(frame, '4000100011112224', '1230', '');
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved']);
  });

  it('7.2: a masked number still pays, and shows again in its field', async () => {
    const [page, frame] = await visit({ config: '{"mask_ccnum":true}' });
    await fill(frame);
    const number = frame.getByLabel('Card number');
    expect(await number.inputValue()).toBe('•••• 2224');
    await number.focus();
    expect(await number.inputValue()).toBe('4000 1000 1111 2224');
    await frame.getByLabel('CVV').focus();
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved']);
  });
});

describe('the provider’s own script and frame', () => {
  it('the fields have its ids, names and labels', async () => {
    const [, frame] = await visit();
    expect(await frame.locator('form').getAttribute('id')).toBe('payjs-container');
    for (const [label, id, name] of [
      ['Card number', 'payjs-cnum', 'number'],
      ['Expiration', 'payjs-exp', 'expiration'],
      ['CVV', 'payjs-cvv', 'cvv'],
    ] as const) {
      const input = frame.getByLabel(label);
      expect([await input.getAttribute('id'), await input.getAttribute('name')]).toEqual([id, name]);
    }
  });

  it('the script sends each option as JSON inside the JSON, and a text as it is', async () => {
    const config = '{"cvv_required":false,"labels":{"cvv":"Code"},"styles":"b { color: red }"}';
    const sent: unknown[] = [];
    complaints = [];
    context = await browser.newContext();
    const page = await context.newPage();
    await page.exposeFunction('hear', (data: unknown) => void sent.push(data));
    await page.addInitScript(() => {
      if (window.parent === window) return;
      addEventListener('message', ({ data }) => (window as unknown as Heard).hear(data));
    });
    await page.goto(
      `http://localhost:${(shop.address() as AddressInfo).port}/?${new URLSearchParams({ config })}`,
    );
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent).toEqual([
      `addConfig::${JSON.stringify({
        cvv_required: 'false',
        labels: '{"cvv":"Code"}',
        styles: 'b { color: red }',
      })}`,
      'displayForm::true',
    ]);
    expect(await page.frameLocator('iframe').getByLabel('Code').count()).toBe(1);
  });

  it('the frame takes options that are no texts as well', async () => {
    const [page, frame] = await visit();
    await page.evaluate(() => {
      const { contentWindow } = document.getElementById('paymentCardIFrame') as HTMLIFrameElement;
      contentWindow?.postMessage('addConfig::{"cvv_required":false,"labels":{"cvv":"Code"}}', '*');
    });
    await frame.getByLabel('Code').waitFor();
    await frame.getByLabel('Card number').fill('4000100011112224');
    await frame.getByLabel('Expiration').fill('1230');
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved']);
  });

  it('generateHTML returns nothing, and the other entries are there', async () => {
    const [page] = await visit();
    const found = await page.evaluate(async () => {
      const client = new window.usaepay.Client('_x');
      const wallets = [client.createApplePayEntry(), client.createGooglePayEntry()];
      return {
        html: [client.createPaymentCardEntry(), client.createPaymentCheckEntry()].map(
          (entry) => typeof entry.generateHTML({}),
        ),
        wallets: await Promise.all(
          wallets.map((entry) =>
            entry.checkCompatibility().then(
              () => 'pays',
              () => 'does not pay',
            ),
          ),
        ),
      };
    });
    expect(found).toEqual({
      html: ['undefined', 'undefined'],
      wallets: ['does not pay', 'does not pay'],
    });
  });

  it.each([
    [true, 2],
    [false, 0],
  ])(
    'throws on every message once its frame is gone, by switch (%s)',
    async (payJsThrowsWithoutFrame, times) => {
      await control(emulator.url, 'POST', 'switches', { payJsThrowsWithoutFrame });
      const [page] = await visit();
      await control(emulator.url, 'POST', 'switches', { payJsThrowsWithoutFrame: true });
      await page.evaluate(() => {
        document.getElementById('paymentCardIFrame')?.remove();
        for (const text of ['one', 'other']) window.postMessage(text, '*');
      });
      await expect.poll(async () => (await seen(page)).messages.slice(-2)).toEqual(['one', 'other']);
      await expect.poll(() => complaints).toHaveLength(times);
      for (const complaint of complaints) expect(complaint).toMatch(/TypeError.*'contentWindow'/);
      complaints = [];
    },
  );
});

describe('what is typed', () => {
  it.each([
    ['4000100011112224', '4000 1000 1111 2224', 'Visa'],
    ['5555444433332226', '5555 4444 3333 2226', 'MasterCard'],
    ['371122223332225', '3711 222233 32225', 'American Express'],
    ['6011-2222-3333-2224', '6011 2222 3333 2224', 'Discover'],
  ])('%s reads %s, a %s', async (typed, shown, brand) => {
    const [, frame] = await visit();
    await frame.getByLabel('Card number').pressSequentially(typed);
    expect(await frame.getByLabel('Card number').inputValue()).toBe(shown);
    expect(await frame.locator('.brand').textContent()).toBe(brand);
  });

  it.each([
    ['1230', '12 / 30'],
    ['930', '09 / 30'],
    ['12/30', '12 / 30'],
    ['1/30', '1 / 30'],
    ['12 / 2030', '12 / 2030'],
  ])('the expiration %s reads %s and is taken', async (typed, shown) => {
    const [page, frame] = await visit();
    await fill(frame, '4000100011112224', '');
    await frame.getByLabel('Expiration').pressSequentially(typed);
    expect(await frame.getByLabel('Expiration').inputValue()).toBe(shown);
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await seen(page)).outcomes).toEqual(['resolved']);
  });

  it.each([
    ['4000100011112225', '1230', '123', 'number', 'invalid card number'],
    ['40001000111122', '1230', '123', 'number', 'invalid length'],
    ['9000000000000001', '1230', '123', 'number', 'invalid card number'],
    ['4000100011112224', '1330', '123', 'expiration', 'Invalid card informtion'],
    ['4000100011112224', '0120', '123', 'expiration', 'card is expired'],
    ['4000100011112224', '1230', '12', 'cvv', 'invalid length'],
  ])('%s %s %s is refused', async (number, expiration, cvv, type, message) => {
    const [page, frame] = await visit();
    await fill(frame, number, expiration, cvv);
    await page.evaluate(() => window.pay());
    await expect.poll(async () => (await errorsOf(page)).at(-1)).toMatchObject({ type, message });
    expect((await seen(page)).keys).toEqual([]);
  });
});

describe('everybody can use it', () => {
  it('a refused card moves to the first wrong field, which says what is wrong', async () => {
    const [page, frame] = await visit();
    await fill(frame, '4000100011112224', '', '');
    await page.evaluate(() => window.pay());
    const expiration = frame.getByLabel('Expiration');
    await expect.poll(() => expiration.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await expiration.getAttribute('aria-invalid')).toBe('true');
    const description = await expiration.getAttribute('aria-describedby');
    expect(await frame.locator(`#${description}`).textContent()).toBe('expiration date is required');
    expect(await frame.getByRole('status').textContent()).toBe(
      'expiration date is required. cvv is required',
    );
    expect(await frame.getByLabel('Card number').getAttribute('aria-invalid')).toBe('false');
  });

  it('the tab key goes through the fields in order, and an untouched field is no error', async () => {
    const [page, frame] = await visit();
    await frame.getByLabel('Card number').focus();
    for (const name of ['expiration', 'cvv']) {
      await page.keyboard.press('Tab');
      expect(await frame.locator(':focus').getAttribute('name')).toBe(name);
    }
    expect(await errorsOf(page)).toEqual([]);
  });

  it.each([
    [320, 2],
    [800, 1],
  ])('at %i px the fields stand in %i rows, and nothing is cut off', async (width, rows) => {
    const [page, frame] = await visit({ width, config: '{"display_errors":true}' });
    await page.evaluate(() => window.pay());
    await expect.poll(() => errorsOf(page)).toHaveLength(3);
    const tops = await frame
      .locator('input')
      .evaluateAll((inputs) => inputs.map((input) => Math.round(input.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(rows);
    const overflow = await frame.locator('html').evaluate((root) => ({
      across: root.scrollWidth - root.clientWidth,
      down: root.scrollHeight - root.clientHeight,
    }));
    expect(overflow).toEqual({ across: 0, down: 0 });
  });

  it.each([
    ['light', '#ffffff'],
    ['dark', '#0d1722'],
  ])('has no accessibility fault on a %s page (%s) with its errors shown', async (scheme, surface) => {
    // The outer page sets the frame's background; a checker would take a transparent frame for white.
    const config = JSON.stringify({ display_errors: true, styles: `body { background: ${surface} }` });
    const [page] = await visit({ dark: scheme === 'dark', config });
    await page.evaluate(() => window.pay());
    await expect.poll(() => errorsOf(page)).toHaveLength(3);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});

describe('the page for people', () => {
  it('lists transactions with what was sent, as text', async () => {
    const portal = await GatewayClient.of(emulator.url);
    const creditcard = { number: '4000300611112224', expiration: '1230' };
    await portal.run('sale', { amount: '7.00', orderid: '<b>order</b>', creditcard });
    complaints = [];
    context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(emulator.url);
    const row = page.getByRole('row').filter({ hasText: '<b>order</b>' });
    expect(await row.textContent()).toContain('Sale, declined');
    expect(await row.textContent()).toContain('7.00');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
