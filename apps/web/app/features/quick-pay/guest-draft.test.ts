import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import { type GuestDraft, guestSaleBody, readBilling } from './guest-draft.ts';

function typedForm(): FormData {
  const form = new FormData();
  form.set('firstName', 'Zoë');
  form.set('lastName', " O'Brien ");
  form.set('street', '12 Maple Street');
  form.set('city', 'Springfield');
  form.set('state', 'IL');
  form.set('postalCode', '62701');
  form.set('email', 'zoe@example.com');
  return form;
}

const draft: GuestDraft = {
  franchiseId: 101,
  workOrderNumber: 1042,
  zipCode: '62704',
  services: { amountCents: cents(-1250), note: ' one window less ' },
  tipCents: cents(1500),
  billing: readBilling(typedForm()),
  sendReceipt: true,
  legalAccepted: true,
};

test('a draft goes out under the names of the wire, with amounts in dollars and no payment key', () => {
  expect(guestSaleBody(draft)).toEqual({
    franchiseId: 101,
    workOrderNumber: 1042,
    additionalServiceAmount: -12.5,
    additionalServicesNote: 'one window less',
    tipAmount: 15,
    firstName: 'Zoë',
    lastName: "O'Brien",
    address: '12 Maple Street',
    address2: '',
    city: 'Springfield',
    state: 'IL',
    postalCode: '62701',
    phone: '',
    email: 'zoe@example.com',
    sendReceipt: true,
    legalAccepted: true,
  });
});

test('a guest who wants no receipt asks for none', () => {
  expect(guestSaleBody({ ...draft, sendReceipt: false }).sendReceipt).toBe(false);
});

test('a note without an amount is left out', () => {
  const services = { amountCents: cents(0), note: 'typed before the amount went' };
  expect(guestSaleBody({ ...draft, services }).additionalServicesNote).toBe('');
});
