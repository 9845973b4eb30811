import type { GuestSaleBody } from '@brightpane/contract/invoices/payments';
import { toDollars } from '@brightpane/contract/wire';
import type { Cents } from '@brightpane/money/cents';
import type { ServicesDraft } from '../payments/payable/additional-services.tsx';
import { servicesNote } from '../payments/payable/services-note.ts';

/** What a guest has selected and typed, under the form's field names. */
export type GuestDraft = {
  franchiseId: number;
  workOrderNumber: number;
  /** The service address's zip code from the look-up, not the card's. */
  zipCode: string;
  services: Pick<ServicesDraft, 'amountCents' | 'note'>;
  tipCents: Cents;
  billing: Billing;
  sendReceipt: boolean;
  legalAccepted: boolean;
};

export type Billing = Record<BillingField, string>;

const BILLING_FIELDS = [
  'firstName',
  'lastName',
  'street',
  'street2',
  'city',
  'state',
  'postalCode',
  'phone',
  'email',
] as const;

export type BillingField = (typeof BILLING_FIELDS)[number];

/** The form's billing fields, as typed. */
export function readBilling(form: FormData): Billing {
  const entries = BILLING_FIELDS.map((name) => [name, String(form.get(name) ?? '').trim()]);
  return Object.fromEntries(entries) as Billing;
}

/** The payment without the zip code, which only found the invoice, and without the key, which is new with each press. */
export function guestSaleBody(draft: GuestDraft): Omit<GuestSaleBody, 'paymentKey'> {
  const { billing, services } = draft;
  return {
    franchiseId: draft.franchiseId,
    workOrderNumber: draft.workOrderNumber,
    additionalServiceAmount: toDollars(services.amountCents),
    additionalServicesNote: servicesNote(services),
    tipAmount: toDollars(draft.tipCents),
    firstName: billing.firstName,
    lastName: billing.lastName,
    address: billing.street,
    address2: billing.street2,
    city: billing.city,
    state: billing.state,
    postalCode: billing.postalCode,
    phone: billing.phone,
    email: billing.email,
    sendReceipt: draft.sendReceipt,
    legalAccepted: draft.legalAccepted,
  };
}

/** The form's names for fields that the wire names differently. */
export const BILLING_FORM_NAMES = { address: 'street', address2: 'street2' };
