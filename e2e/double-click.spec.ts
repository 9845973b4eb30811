import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { fillNewCard } from './card-steps.ts';
import { fillAll, importInvoice, openInvoice } from './guest-payment-steps.ts';
import { numbersOf } from './location-steps.ts';
import { callAs, choose, openDashboard, payButton } from './portal-steps.ts';
import { countPresses, keepTimesOfPresses, letEchoesPass } from './press-steps.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { mailsTo } from './support/mailbox.ts';
import { confirmationLink, fillSignIn, newPerson, register } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test.use({ hasTouch: true });
// Fifteen forms, each with fresh accounts and invoices, pressed in six ways.
test.describe.configure({ timeout: 120_000 });

type Tools = { page: Page; request: APIRequestContext; office: Office };

type FormCase = {
  name: string;
  /** The call that the form sends. */
  call: string;
  /** Fills the form, without pressing. */
  arrive: (tools: Tools) => Promise<void>;
  /** Brings the button back if an answer removed it. */
  again?: (tools: Tools) => Promise<void>;
  button: (page: Page) => Locator;
  /** A field in which Enter submits the form. */
  field?: string;
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('button', { name });
const PAGES_LINK = 'e=rosa%40example.com&t=a-token';

async function openWithLocation({ page, request, office }: Tools, cards: string[] = []): Promise<InvoiceRow> {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice], cards });
  return invoice;
}

async function fillNumbers(page: Page, invoice: InvoiceRow): Promise<void> {
  const { franchise, workOrder, zip } = numbersOf(invoice);
  await page.getByLabel('Franchise #').fill(franchise);
  await page.getByLabel('Work Order #').fill(workOrder);
  await page.getByLabel('Zip Code').fill(zip);
}

const FORMS: FormCase[] = [
  {
    name: 'search',
    call: 'POST /user/invoice/search',
    arrive: async ({ page, office }) => {
      await page.goto('/guest-payment');
      await fillNumbers(page, await importInvoice(office));
    },
    button: (page) => press(page, 'Find Invoice'),
    field: 'Zip Code',
  },
  {
    name: 'payment as a guest',
    call: 'POST /usaepay/guestsale',
    arrive: async ({ page, office }) => {
      await openInvoice(page, await importInvoice(office));
      await fillAll(page);
    },
    button: payButton,
    field: 'City',
  },
  {
    name: 'sign-in',
    call: 'POST /authentication/login',
    arrive: async ({ page }) => {
      await page.goto('/login');
      await page.getByLabel('Email').fill('rosa@example.com');
      await page.getByLabel('Password').fill('a wrong one');
    },
    button: (page) => press(page, 'Sign in'),
    field: 'Email',
  },
  {
    name: 'another verification mail, at sign-in',
    call: 'POST /user/resendemailconfirmation',
    arrive: async ({ page, request }) => {
      const person = await register(request);
      await page.goto('/login');
      await fillSignIn(page, person);
    },
    button: (page) => press(page, 'Resend Verification Email'),
  },
  {
    name: 'another verification mail, at a link that is not whole',
    call: 'POST /user/resendemailconfirmation',
    arrive: async ({ page }) => {
      await page.goto('/confirm?e=rosa%40example.com');
    },
    button: (page) => press(page, 'Resend Verification Email'),
  },
  {
    name: 'confirmation',
    call: 'POST /user/confirm',
    arrive: async ({ page }) => {
      await page.goto(`/confirm?${PAGES_LINK}`);
    },
    button: (page) => press(page, 'Confirm my email'),
  },
  {
    name: 'registration',
    call: 'POST /user/register',
    arrive: async ({ page }) => {
      const person = newPerson();
      await page.goto('/register');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('First name').fill(person.firstName);
      await page.getByLabel('Last name').fill(person.lastName);
      await page.getByLabel('Password').fill(person.password);
    },
    button: (page) => press(page, 'Sign up'),
    field: 'Last name',
  },
  {
    name: 'forgotten password',
    call: 'POST /user/resetpassword',
    arrive: async ({ page }) => {
      await page.goto('/forgot-password');
      await page.getByLabel('Email').fill(newPerson().email);
    },
    button: (page) => press(page, 'Send email'),
    field: 'Email',
  },
  {
    name: 'new password',
    call: 'POST /user/confirmresetpassword',
    arrive: async ({ page }) => {
      await page.goto(`/resetpassword?${PAGES_LINK}`);
      await page.getByLabel('New Password').fill('juniper lane in november');
    },
    button: (page) => press(page, 'Reset password'),
    field: 'New Password',
  },
  {
    name: 'invitation',
    call: 'POST /user/acceptinvite',
    arrive: async ({ page }) => {
      await page.goto(`/invitation?${PAGES_LINK}`);
      await page.getByLabel('First name').fill('Rosa');
      await page.getByLabel('Last name').fill('Delgado');
      await page.getByLabel('Password').fill('juniper lane in november');
    },
    button: (page) => press(page, 'Accept Invite'),
    field: 'Last name',
  },
  {
    name: 'invitation banner',
    call: 'POST /user/invitations',
    arrive: async (tools) => {
      const { page, request, office } = tools;
      await importInvoice(office, { customerNumber: 4 });
      const { email } = await openDashboard(page, request);
      const { franchiseId } = office;
      await office.send('POST', '/office/invitations', { franchiseId, customerNumber: 4, email });
      await page.reload();
    },
    // A failure shows the error page.
    again: ({ page }) => page.goto('/invoices').then(() => {}),
    button: (page) => press(page, 'Accept Invite'),
  },
  {
    name: 'a location to add',
    call: 'POST /user/location',
    arrive: async ({ page, request, office }) => {
      await openDashboard(page, request);
      await page.goto('/locations/add');
      await fillNumbers(page, await importInvoice(office));
    },
    button: (page) => press(page, 'Add Location'),
    field: 'Work Order #',
  },
  {
    name: 'a location to remove',
    call: 'DELETE /user/location/:id',
    arrive: async (tools) => {
      const { page } = tools;
      await openWithLocation(tools);
      await page.getByRole('link', { name: 'Home' }).click();
      await press(page, 'Remove location').click();
    },
    button: inDialog('Remove location'),
  },
  {
    name: 'a card to add',
    call: 'POST /usaepay/portal/paymentmethods',
    arrive: async (tools) => {
      await openWithLocation(tools);
      await tools.page.goto('/payment-methods/add');
      await fillNewCard(tools.page);
    },
    button: (page) => press(page, 'Add Payment Method'),
    field: 'Street',
  },
  {
    name: 'a card to delete',
    call: 'DELETE /usaepay/portal/paymentmethods/:id',
    arrive: async (tools) => {
      const { page } = tools;
      await openWithLocation(tools, ['4000100011112224']);
      await page.goto('/payment-methods');
      await page.getByRole('link', { name: 'Visa ending in 2224' }).click();
      await press(page, 'Delete Payment Method').click();
    },
    // A failure shows beside the question, which has closed.
    again: async ({ page }) => {
      // A held key reopens it by itself.
      if (await page.getByRole('dialog').isHidden()) await press(page, 'Delete Payment Method').click();
    },
    button: inDialog('Delete Payment Method'),
  },
  {
    name: 'payment of invoices',
    call: 'POST /usaepay/customerportalsale',
    arrive: async (tools) => {
      const { page } = tools;
      const invoice = await openWithLocation(tools, ['4000100011112224']);
      await choose(page, invoice);
      await page.getByLabel(/I accept the terms/).check();
    },
    button: payButton,
  },
];

/** Answered only after both taps. */
const SLOW_TAP = 'a double tap, answered late';

/** What impatient people, worn mice and bouncing keys do to a button, and to a field of its form. */
const WAYS: Record<string, (page: Page, button: Locator, field: Locator | null) => Promise<unknown>> = {
  'a double click': (_page, button) => button.dblclick(),
  'two clicks in one frame': (_page, button) =>
    button.evaluate((element: HTMLButtonElement) => {
      element.click();
      element.click();
    }),
  'a double tap': async (page, button) => {
    const touch = await finger(page, button);
    await Promise.all([
      touch('touchStart', 0),
      touch('touchEnd', 0.05),
      touch('touchStart', 0.15),
      touch('touchEnd', 0.2),
    ]);
  },
  [SLOW_TAP]: async (page, button) => {
    const touch = await finger(page, button);
    await Promise.all([touch('touchStart', 0), touch('touchEnd', 0.05), touch('touchStart', 0.15)]);
    // What the first tap removes moves the form under the finger before it lifts again.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await touch('touchEnd', 0.2);
  },
  'Enter held in a field': async (page, button, field) => {
    await (field ?? button).focus();
    for (let repeat = 0; repeat < 4; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  },
  'Enter and a click': async (_page, button, field) => {
    // The button may have gone by then, as a dialog's does.
    const pressed = await button.elementHandle();
    await (field ?? button).press('Enter', { noWaitAfter: true });
    await pressed?.evaluate((element) => (element as HTMLButtonElement).click());
  },
};

/** Touches the middle of the button with explicit timestamps: a busy browser may process a touch much later. */
async function finger(page: Page, button: Locator) {
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const browser = await page.context().newCDPSession(page);
  const begun = Date.now() / 1000;
  return (type: 'touchStart' | 'touchEnd', after: number) =>
    browser.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [{ x: x + width / 2, y: y + height / 2 }] : [],
      timestamp: begun + after,
    });
}

for (const { name, call, arrive, again, button, field } of FORMS) {
  test(`one press or two, one call: ${name}`, async ({ page, request, office, consoleGuard }) => {
    // Allows the error answers that keep the form on the screen.
    consoleGuard.allow(/status of 500|Unable to accept invite/);
    await keepTimesOfPresses(page);
    const tools = { page, request, office };
    const [method = '', path = ''] = call.split(' ');
    await arrive(tools);
    let calls = 0;
    let mayAnswer: Promise<unknown> = Promise.resolve();
    const address = new RegExp(`/api${path.replace(':id', '[\\w-]+')}(\\?|$)`);
    await page.route(address, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      calls += 1;
      await mayAnswer;
      await route.fulfill({ status: 500, json: { title: '', status: 500, detail: '', errors: [] } });
    });
    await letEchoesPass(page);
    let isFirst = true;
    for (const [way, pressTwice] of Object.entries(WAYS)) {
      await test.step(way, async () => {
        if (again && !isFirst) await again(tools);
        isFirst = false;
        await expect(button(page)).toBeEnabled();
        const before = calls;
        await countPresses(page);
        const pressed = Promise.withResolvers<void>();
        mayAnswer = way === SLOW_TAP ? pressed.promise : Promise.resolve();
        await pressTwice(page, button(page), field === undefined ? null : page.getByLabel(field)).finally(
          pressed.resolve,
        );
        await expect.poll(() => calls, { message: 'calls of the API' }).toBeGreaterThan(before);
        // A call by the second press would have been sent by the time the first answer shows.
        await expect(page.getByRole('alert').or(page.getByText('Oops, an unexpected'))).toBeVisible();
        await letEchoesPass(page);
        expect(calls - before, 'calls of the API').toBeLessThanOrEqual(await countPresses(page));
      });
    }
  });
}

type PressedForm = {
  name: string;
  call: string;
  /** Fills the form, without pressing. */
  fill?: (page: Page) => Promise<void>;
  button: (page: Page) => Locator;
};

/**
 * Presses each form again as soon as its button can be pressed, which is before anybody has read the answer. The forms of
 * a page share the time until a second call would have gone out.
 */
async function expectOneCallEach(page: Page, forms: PressedForm[]): Promise<void> {
  const calls: string[] = [];
  const presses = new Map<string, number>();
  const route = /\/api\//;
  const matching = (method: string, path: string) =>
    forms.find(({ call }) => {
      const [itsMethod, itsPath = ''] = call.split(' ');
      return method === itsMethod && new RegExp(`/api${itsPath.replace(':id', '[\\w-]+')}$`).test(path);
    });
  await page.route(route, async (sent) => {
    const request = sent.request();
    const form = matching(request.method(), new URL(request.url()).pathname);
    if (!form) return sent.fallback();
    calls.push(form.name);
    await sent.fulfill({ status: 500, json: { title: '', status: 500, detail: '', errors: [] } });
  });
  for (const { name, fill, button } of forms) {
    await test.step(name, async () => {
      await fill?.(page);
      await expect(button(page)).toBeEnabled();
      await countPresses(page);
      await button(page).evaluate(async (element: HTMLButtonElement) => {
        element.click();
        while (element.disabled) await new Promise(requestAnimationFrame);
        element.click();
      });
      presses.set(name, await countPresses(page));
    });
  }
  await letEchoesPass(page);
  for (const { name } of forms) {
    const made = calls.filter((each) => each === name).length;
    expect(made, `calls of the API: ${name}`).toBeGreaterThan(0);
    expect(made, `calls of the API: ${name}`).toBeLessThanOrEqual(presses.get(name) ?? 0);
  }
  await page.unroute(route);
}

test('one press or two, one call: the links in an account’s mails, and the account after a payment', async ({
  page,
  request,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 500/);
  await keepTimesOfPresses(page);
  await page.goto(`/mail/email?${PAGES_LINK}`);
  await expectOneCallEach(page, [
    {
      name: 'a new email address to confirm',
      call: 'POST /authentication/email/confirm',
      button: () => press(page, 'Confirm my new email'),
    },
  ]);
  await page.goto(`/mail/undo?${PAGES_LINK}`);
  await expectOneCallEach(page, [
    {
      name: 'a change of the email address to undo',
      call: 'POST /authentication/email/undo',
      fill: () => page.getByLabel('New password').fill('juniper lane in november'),
      button: () => press(page, 'Undo and sign out everywhere'),
    },
  ]);

  // What a payment leaves in the tab.
  const payer = { firstName: 'Rosa', lastName: 'Delgado', email: newPerson().email };
  const paid = JSON.stringify({ receipt: { amountCents: 10_825 }, offer: { token: 'a-token', payer } });
  const offer = { franchiseName: 'Clear View', workOrderNumber: 1, addressLine1: '12 Juniper Lane' };
  await page.route('**/api/authentication/offer', (route) =>
    route.fulfill({ json: { ...offer, city: 'Austin', expiresAt: '2999-01-01T00:00:00Z' } }),
  );
  const openPaid = async () => {
    await page.evaluate((state) => sessionStorage.setItem('paid', state), paid);
    await page.goto('/guest-payment/success');
  };
  await openPaid();
  await expectOneCallEach(page, [
    {
      name: 'an account to create after a payment',
      call: 'POST /authentication/offer/register',
      fill: () => page.getByLabel('New password').fill('juniper lane in november'),
      button: () => press(page, 'Create account'),
    },
  ]);
  const { email } = await openDashboard(page, request);
  await openPaid();
  await expectOneCallEach(page, [
    {
      name: 'a location to add after a payment',
      call: 'POST /user/offer',
      button: () => press(page, `Add 12 Juniper Lane to ${email}`),
    },
  ]);
});

test('one press or two, one call: the forms of the account', async ({ page, request, consoleGuard }) => {
  consoleGuard.allow(/status of 500/);
  await keepTimesOfPresses(page);
  const customer = await openDashboard(page, request);
  const { password } = customer;
  await callAs(request, customer, 'POST', '/user/email', { email: newPerson().email, password });
  await page.goto('/account');
  const region = (name: string) => page.getByRole('region', { name });
  const inRegion = (name: string, button: string | RegExp) => () =>
    region(name).getByRole('button', { name: button }).first();
  const currentIn = (name: string) => region(name).getByLabel('Current password').fill(password);
  const forms: PressedForm[] = [
    { name: 'details', call: 'PUT /user/account', button: inRegion('Your details', 'Save details') },
    {
      name: 'a new email address',
      call: 'POST /user/email',
      fill: async () => {
        await region('Email address').getByLabel('New email').fill(newPerson().email);
        await currentIn('Email address');
      },
      button: inRegion('Email address', 'Send link'),
    },
    {
      name: 'a change of the email address to cancel',
      call: 'DELETE /user/email',
      button: inRegion('Email address', 'Cancel change'),
    },
    {
      name: 'a new password',
      call: 'POST /user/password',
      fill: async () => {
        await currentIn('Password');
        await region('Password').getByLabel('New password').fill('maple street in december');
      },
      button: inRegion('Password', 'Change password'),
    },
    {
      name: 'a session to end',
      call: 'DELETE /user/sessions/:id',
      button: inRegion('Where you are signed in', /^End session/),
    },
    {
      name: 'other sessions to end',
      call: 'DELETE /user/sessions',
      button: inRegion('Where you are signed in', 'End all other sessions'),
    },
    {
      name: 'data to download',
      call: 'POST /user/export',
      fill: () => currentIn('Your data'),
      button: inRegion('Your data', 'Download my data'),
    },
    {
      name: 'an account to close',
      call: 'POST /user/close',
      fill: async () => {
        await press(page, 'Close my account').click();
        await page.getByRole('dialog').getByLabel('Current password').fill(password);
      },
      button: inDialog('Close account'),
    },
  ];
  await expectOneCallEach(page, forms);
});

test('a double click registers once, and the second half is no failure', async ({ page }) => {
  const person = newPerson();
  await page.goto('/register');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Password').fill(person.password);
  await press(page, 'Sign up').dblclick();
  await expect(page).toHaveURL('/register/success');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a double click sends one mail', async ({ page, request }) => {
  const person = await register(request);
  await confirmationLink(person);
  await page.goto('/login');
  await fillSignIn(page, person);
  const before = (await mailsTo(person.email)).length;
  let calls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/user/resendemailconfirmation')) calls++;
  });
  await press(page, 'Resend Verification Email').dblclick();
  await expect(page.getByRole('status')).toBeVisible();
  await letEchoesPass(page);
  await press(page, 'Resend Verification Email').click();
  await expect.poll(async () => (await mailsTo(person.email)).length).toBe(before + 2);
  expect(calls).toBe(2);
});

test('a double click on Log out ends one session and goes no further', async ({ page, request }) => {
  await openDashboard(page, request);
  const calls: string[] = [];
  page.on('request', (sent) => calls.push(new URL(sent.url()).pathname));
  await press(page, 'Log out').dblclick();
  await expect(page).toHaveURL('/');
  await expect(heading(page)).toBeVisible();
  await letEchoesPass(page);
  await expect(page).toHaveURL('/');
  expect(calls.filter((path) => path === '/api/authentication/logout')).toHaveLength(1);
});

test('a double click on what opens a question does not answer it', async ({ page, request, office }) => {
  await openWithLocation({ page, request, office });
  await page.getByRole('link', { name: 'Home' }).click();
  const removals: string[] = [];
  page.on('request', (sent) => {
    if (sent.method() === 'DELETE') removals.push(sent.url());
  });
  await press(page, 'Remove location').dblclick();
  // A question that was answered stays until the answer has come.
  await letEchoesPass(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(removals).toEqual([]);
});
