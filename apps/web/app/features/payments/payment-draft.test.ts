import type { Invoice, Payment } from '@brightpane/contract/invoices/invoices';
import { cents } from '@brightpane/money/cents';
import { memoryStore } from '@brightpane/ui/browser-storage';
import { describe, expect, test } from 'vitest';
import { NEW_LINE } from './payable/draft-line.ts';
import { type Payable, toPayable } from './payable/payable.ts';
import {
  changeDraft,
  type DraftChange,
  lineOf,
  NEW_DRAFT,
  type PaymentDraft,
  selectedOf,
  tableTips,
} from './payment-draft.ts';
import { keepDraft, readDraft } from './use-payment-draft.ts';

function payable(workOrderNumber: number, given: Partial<Invoice> = {}): Payable {
  return toPayable({
    franchiseId: 7,
    workOrderNumber,
    balanceDue: 108.25,
    salesTaxAmount: 8.25,
    salesTaxRate: 0.0825,
    tipsEnabled: true,
    workOrders: [{ locationId: 1 }],
    payments: [],
    ...given,
  } as Invoice);
}

const one = payable(1);
const two = payable(2, { balanceDue: 50, salesTaxAmount: 0, salesTaxRate: 0 });
const untipped = payable(3, { tipsEnabled: false });
const all = [one, two, untipped];

const select = (draft: PaymentDraft, ...payables: Payable[]) =>
  changeDraft(draft, { type: 'select', keys: payables.map(({ key }) => key), isSelected: true });

const CLEAR = { amountCents: cents(0), note: '' };

describe('a draft', () => {
  test('begins with nothing selected, the receipt wanted and the terms not accepted', () => {
    expect(selectedOf(NEW_DRAFT, all)).toMatchObject({ payables: [], totals: { totalCents: 0 } });
    expect(NEW_DRAFT).toMatchObject({ sendReceipt: true, termsAcceptedFor: null, paymentMethodId: null });
  });

  test('sums what is selected, with tips, services and their tax', () => {
    let draft = select(NEW_DRAFT, one, two);
    draft = changeDraft(draft, { type: 'tip', tips: [[one.key, cents(15_00)]] });
    draft = changeDraft(draft, {
      type: 'services',
      key: two.key,
      services: { amountCents: cents(-5_00), note: 'A pane was left out' },
    });
    expect(selectedOf(draft, all).totals).toMatchObject({
      invoiceCents: 150_00,
      servicesCents: -5_00,
      subtotalCents: 145_00,
      taxCents: 8_25,
      tipCents: 15_00,
      totalCents: 168_25,
    });
  });

  test('counts only what a view lists', () => {
    const draft = select(NEW_DRAFT, one, two);
    expect(selectedOf(draft, [two]).totals.totalCents).toBe(50_00);
    expect(selectedOf(draft, [untipped]).payables).toEqual([]);
  });

  test('keeps what was typed for an invoice that is deselected', () => {
    let draft = changeDraft(select(NEW_DRAFT, one), { type: 'tip', tips: [[one.key, cents(3_00)]] });
    draft = changeDraft(draft, { type: 'select', keys: [one.key], isSelected: false });
    expect(selectedOf(draft, all).payables).toEqual([]);
    expect(lineOf(select(draft, one), one.key).tipCents).toBe(3_00);
  });

  test('leaves every other line the object that it was', () => {
    const before = select(NEW_DRAFT, one, two);
    const after = changeDraft(before, { type: 'tip', tips: [[one.key, cents(1)]] });
    expect(after.lines[two.key]).toBe(before.lines[two.key]);
    expect(after.lines[one.key]).not.toBe(before.lines[one.key]);
  });

  test('a tip typed for an invoice that takes none does not count', () => {
    const draft = changeDraft(select(NEW_DRAFT, untipped), {
      type: 'tip',
      tips: [[untipped.key, cents(9_00)]],
    });
    expect(selectedOf(draft, all).totals.tipCents).toBe(0);
  });

  test.each([
    ['nothing is selected', [], 0, false],
    ['something is selected', [one, two], -49_99, true],
    ['a credit takes all of one invoice away', [one, two], -50_00, false],
  ])('where %s, can be paid: %4$s', (_, selected, creditCents, isPayable) => {
    const draft = changeDraft(select(NEW_DRAFT, ...selected), {
      type: 'services',
      key: two.key,
      services: { amountCents: cents(creditCents), note: 'Not all was done' },
    });
    expect(selectedOf(draft, all).isPayable).toBe(isPayable);
  });

  test.each<[string, DraftChange, boolean]>([
    ['a tip', { type: 'tip', tips: [[one.key, cents(3_00), '3.005']] }, false],
    ['services', { type: 'services', key: one.key, services: { ...CLEAR, unclear: '12.345' } }, false],
    ['a tip that is not asked for', { type: 'tip', tips: [[untipped.key, cents(0), '3.005']] }, true],
    ['nothing', { type: 'tip', tips: [[one.key, cents(3_00)]] }, true],
  ])('where %s is no amount that can be paid, can be paid: %3$s', (_, change, isPayable) => {
    const draft = changeDraft(select(NEW_DRAFT, one, untipped), change);
    expect(selectedOf(draft, all).isPayable).toBe(isPayable);
    const corrected = changeDraft(draft, { type: 'tip', tips: [[one.key, cents(3_00)]] });
    expect(selectedOf(corrected, all).isPayable).toBe(change.type === 'tip' || isPayable);
  });

  test('once paid, forgets those invoices, asks for the terms again and offers a receipt again', () => {
    let draft = changeDraft(select(NEW_DRAFT, one, two), { type: 'accept-terms', acceptedFor: 'completed' });
    draft = changeDraft(draft, { type: 'choose-card', paymentMethodId: 'card' });
    draft = changeDraft(draft, { type: 'send-receipt', sendReceipt: false });
    draft = changeDraft(draft, { type: 'paid', keys: [one.key] });
    expect(selectedOf(draft, all).payables).toEqual([two]);
    expect(draft).toMatchObject({ termsAcceptedFor: null, paymentMethodId: 'card', sendReceipt: true });
    expect(draft.lines[one.key]).toBeUndefined();
  });

  test('does so too where a payment without an answer shows by an invoice that has left the list', () => {
    const accepted: DraftChange = { type: 'accept-terms', acceptedFor: 'completed' };
    const receipt: DraftChange = { type: 'send-receipt', sendReceipt: false };
    const draft = [accepted, receipt].reduce(changeDraft, select(NEW_DRAFT, one, two));
    const left = changeDraft(draft, { type: 'listed', payables: [two, untipped] });
    expect(left).toMatchObject({ termsAcceptedFor: null, sendReceipt: true });
    const others = [accepted, receipt].reduce(changeDraft, select(NEW_DRAFT, two));
    expect(changeDraft(others, { type: 'listed', payables: [two] })).toBe(others);
    const refused = changeDraft(draft, { type: 'listed', payables: [two, untipped], isRefused: true });
    expect(refused).toMatchObject({
      termsAcceptedFor: draft.termsAcceptedFor,
      sendReceipt: draft.sendReceipt,
    });
  });

  test('stays as it is when it hears of the same payment again, as after a reload', () => {
    const draft = changeDraft(select(NEW_DRAFT, two), { type: 'accept-terms', acceptedFor: 'completed' });
    expect(changeDraft(draft, { type: 'paid', keys: [one.key] })).toBe(draft);
  });
});

describe('what was added to an invoice', () => {
  let draft = changeDraft(select(NEW_DRAFT, one, two), {
    type: 'services',
    key: one.key,
    services: { amountCents: cents(30_00), note: 'Gutters' },
  });
  draft = changeDraft(draft, {
    type: 'tip',
    tips: [
      [one.key, cents(20_00)],
      [two.key, cents(5_00), '5.005'],
    ],
  });

  test('is forgotten once an earlier payment turns out to have paid it, and its invoice stays selected', () => {
    const told = changeDraft(draft, { type: 'paid-earlier', keys: [one.key, two.key, untipped.key] });
    expect(selectedOf(told, all)).toMatchObject({
      payables: [one, two],
      totals: { totalCents: 158_25 },
      isPayable: true,
    });
    expect(lineOf(told, one.key).services.note).toBe('');
  });

  test('is forgotten with its invoice once that is not due any more, and others stay the objects that they were', () => {
    const left = changeDraft(draft, { type: 'listed', payables: [two, untipped] });
    expect(lineOf(left, one.key)).toBe(NEW_LINE);
    expect(lineOf(left, two.key)).toBe(lineOf(draft, two.key));
    expect(changeDraft(left, { type: 'listed', payables: [two] })).toBe(left);
  });

  test.for([
    { what: 'a tip', payment: { tipAmount: 5 }, isForgotten: true },
    { what: 'services', payment: { additionalServiceAmount: 30 }, isForgotten: true },
    { what: 'a credit', payment: { additionalServiceAmount: -30 }, isForgotten: true },
    { what: 'neither', payment: {}, isForgotten: false },
  ])('of which $what is paid, is forgotten once another of the selected has left: $isForgotten', (row) => {
    const payment = { tipAmount: 0, additionalServiceAmount: 0, ...row.payment } as Payment;
    const paid = payable(2, { ...two.invoice, payments: [payment] });
    const left = changeDraft(draft, { type: 'listed', payables: [paid, untipped] });
    expect(lineOf(left, two.key)).toMatchObject({ isSelected: true, tipCents: row.isForgotten ? 0 : 5_00 });
    const both = changeDraft(draft, { type: 'listed', payables: [one, paid] });
    expect(lineOf(both, two.key)).toBe(lineOf(draft, two.key));
  });
});

describe('the tip buttons of the whole table', () => {
  test('take their part of the full balance, and skip invoices without tips', () => {
    expect(tableTips(all, 15)).toEqual([
      [one.key, 16_24],
      [two.key, 7_50],
    ]);
    expect(tableTips(all, 20)[0]).toEqual([one.key, 21_65]);
  });
});

describe('a draft that was kept', () => {
  test('is read as it was', () => {
    const store = memoryStore();
    const draft = changeDraft(select(NEW_DRAFT, one), { type: 'send-receipt', sendReceipt: false });
    keepDraft(store, draft);
    expect(readDraft(store)).toEqual(draft);
  });

  test('has lost a card number that was typed into a note', () => {
    const store = memoryStore();
    const services = { amountCents: cents(10_00), note: 'use 4000 1000 1111 2224' };
    keepDraft(store, changeDraft(NEW_DRAFT, { type: 'services', key: one.key, services }));
    expect(readDraft(store).lines[one.key]?.services).toEqual({ ...services, note: '' });
  });

  test('still has a selected card whose id looks like a card number', () => {
    const store = memoryStore();
    const paymentMethodId = '46476358-3756-4dbe-a5af-73445f63f44d';
    keepDraft(store, changeDraft(NEW_DRAFT, { type: 'choose-card', paymentMethodId }));
    expect(readDraft(store).paymentMethodId).toBe(paymentMethodId);
  });

  test('asks for the terms again if they are others by then', () => {
    const store = memoryStore();
    const draft = changeDraft(NEW_DRAFT, { type: 'accept-terms', acceptedFor: 'completed' });
    keepDraft(store, draft, 'first');
    expect(readDraft(store, 'first')).toEqual(draft);
    expect(readDraft(store, 'second')).toEqual(NEW_DRAFT);
  });

  test.each([null, 'no JSON', 'null'])('is new where the store holds %j', (text) => {
    const store = memoryStore();
    if (text !== null) store.setItem('draft', text);
    expect(readDraft(store)).toEqual(NEW_DRAFT);
  });
});
