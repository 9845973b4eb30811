import { type Cents, cents } from './cents.ts';
import { divideRoundingHalfAwayFromZero } from './rounding.ts';

/** What is left of a work order's payment, or what a refund takes of it. A payer's credit is negative services. */
export type RefundParts = {
  invoiceCents: Cents;
  taxCents: Cents;
  servicesCents: Cents;
  servicesTaxCents: Cents;
};

export type RefundShare = {
  amountCents: Cents;
  /** How much comes from services and their tax; by default their proportional share. */
  servicesCents?: Cents;
  /** What the office received too much; it is returned before anything falls due again. */
  overpaid?: Overpayment;
};

export type Overpayment = {
  cashCents: Cents;
  /** The tax that was paid beyond what the office asks for now. */
  excessTaxCents: number;
};

/** The most that can be refunded, without the tip. */
export function refundableCents(rests: RefundParts): Cents {
  return cents(rests.invoiceCents + rests.taxCents + servicesWithTax(rests));
}

/** The one formula for how a refund is spread. Dialog and server both call it, so they can't disagree by a cent. */
export function spreadRefund(rests: RefundParts, share: RefundShare): RefundParts {
  const fromServices = takeFromServices(rests, share);
  const fromInvoice = share.amountCents - fromServices;
  const invoiceWithTax = rests.invoiceCents + rests.taxCents;
  if (share.amountCents < 1 || fromInvoice < 0 || fromInvoice > invoiceWithTax)
    throw new RangeError(`not refundable: ${share.amountCents}`);
  const tax = takeTax(rests, fromInvoice, share.overpaid);
  const servicesTax = takeServicesTax(rests, fromServices);
  return {
    invoiceCents: cents(fromInvoice - tax),
    taxCents: cents(tax),
    servicesCents: cents(fromServices - servicesTax),
    servicesTaxCents: cents(servicesTax),
  };
}

function servicesWithTax({ servicesCents, servicesTaxCents }: RefundParts): number {
  return servicesCents + servicesTaxCents;
}

function takeFromServices(rests: RefundParts, { amountCents, servicesCents: told }: RefundShare): number {
  const services = servicesWithTax(rests);
  if (told === undefined) return shareOf(services, amountCents, refundableCents(rests));
  if (told < 0 || told > services || told > amountCents) throw new RangeError(`not in the services: ${told}`);
  return told;
}

/** The overpaid part takes the tax that the office removed; the rest takes its proportional share. */
function takeTax({ invoiceCents, taxCents }: RefundParts, amount: number, overpaid?: Overpayment): number {
  const overpaidCents = overpaid?.cashCents ?? 0;
  const first = Math.min(amount, overpaidCents);
  const excessTax = clamp(overpaid?.excessTaxCents ?? 0, 0, overpaidCents);
  const taxOfFirst =
    first === 0
      ? 0
      : clamp(
          shareOf(excessTax, first, overpaidCents),
          Math.max(0, first - invoiceCents),
          Math.min(taxCents, first),
        );
  return taxOfFirst + shareOf(taxCents - taxOfFirst, amount - first, invoiceCents + taxCents - first);
}

function takeServicesTax(rests: RefundParts, fromServices: number): number {
  return shareOf(rests.servicesTaxCents, Math.abs(fromServices), Math.abs(servicesWithTax(rests)));
}

/** `whole` times `part / sum`, rounded half away from zero; 0 if the sum is 0. */
function shareOf(whole: number, part: number, sum: number): number {
  return sum === 0 ? 0 : divideRoundingHalfAwayFromZero(whole * part, sum);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
