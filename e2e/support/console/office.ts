import type { SystemUnderTest } from '../system.ts';

/** One row of the office import. */
export type InvoiceRow = {
  franchiseId: number;
  franchiseName: string;
  timeZone: string;
  customerNumber: number;
  customerName: string;
  customerEmail: string;
  locationId: number;
  description: string;
  addressLine1: string;
  city: string;
  state: string;
  zipCode: string;
  workOrderNumber: number;
  service: string;
  completedDate: string;
  dueDate: string;
  amount: number;
  salesTaxAmount: number;
  salesTaxRate: number;
  tipsEnabled: boolean;
  paidElsewhere: number;
};

const USUAL = {
  franchiseName: 'Clearwater Windows',
  timeZone: 'America/Chicago',
  customerNumber: 1,
  customerName: 'Rosa Delgado',
  customerEmail: '',
  locationId: 1,
  description: 'Home',
  addressLine1: '12 Juniper Lane',
  city: 'Austin',
  state: 'TX',
  zipCode: '78701',
  service: 'Window cleaning',
  completedDate: '2026-11-02',
  dueDate: '2099-12-31',
  amount: 108.25,
  salesTaxAmount: 8.25,
  salesTaxRate: 0.0825,
  tipsEnabled: true,
  paidElsewhere: 0,
};

/** A franchise's office, which sends invoices to the portal as real offices do. */
export class Office {
  readonly franchiseId: number;
  readonly #system: SystemUnderTest;
  #lastWorkOrder = 5_000;

  constructor(system: SystemUnderTest, franchiseId: number) {
    this.#system = system;
    this.franchiseId = franchiseId;
  }

  /** Imports invoices, with defaults for what a test doesn't name. Returns the rows as sent. */
  async importInvoices<Rows extends Partial<InvoiceRow>[]>(
    ...rows: Rows
  ): Promise<{ [Index in keyof Rows]: InvoiceRow }> {
    const complete = rows.map((row) => ({
      ...USUAL,
      franchiseId: this.franchiseId,
      workOrderNumber: ++this.#lastWorkOrder,
      ...row,
    }));
    await this.send('POST', '/office/import', { rows: complete });
    return complete as { [Index in keyof Rows]: InvoiceRow };
  }

  /** Makes one of the office's calls. Throws the answer if the portal refuses. */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const answer = await fetch(`${this.#system.portalUrl}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#system.officeApiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
