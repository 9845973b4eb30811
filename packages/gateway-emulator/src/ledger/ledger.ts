import { join } from 'node:path';
import { Journal } from './journal.ts';
import type { Tables, Transaction } from './records.ts';

type TableName = keyof Tables;

/** One change of one record. All changes of a call are stored together or not at all. */
export type Change = {
  [Name in TableName]: { table: Name; put: Tables[Name] } | { table: Name; remove: string };
}[TableName];

type Entry = { changes: Change[] } | { reset: TableName[] };

const TABLE_NAMES: TableName[] = [
  'transactions',
  'batches',
  'tokens',
  'paymentKeys',
  'customers',
  'paymentMethods',
];

/** The tables that a reset empties. Tokens and customers survive, as when a sandbox clears its transactions. */
const RESET_TABLES: TableName[] = ['transactions', 'batches'];

/** Every record, in memory and, if a folder is given, in a journal that survives a kill. */
export class Ledger {
  #tables: { [Name in TableName]: Map<string, Tables[Name]> } = {
    transactions: new Map(),
    batches: new Map(),
    tokens: new Map(),
    paymentKeys: new Map(),
    customers: new Map(),
    paymentMethods: new Map(),
  };
  #keysOfMerchant = new Map<string, string[]>();
  #keyOfRefnum = new Map<string, string>();
  #lastNumber = 100_000_000;
  #journal: Journal | undefined;

  static async open(folder: string | undefined): Promise<Ledger> {
    const ledger = new Ledger();
    if (folder === undefined) return ledger;
    const { journal, entries } = await Journal.open(join(folder, 'ledger.jsonl'));
    for (const entry of entries) ledger.#apply(entry as Entry);
    ledger.#journal = journal;
    return ledger;
  }

  get<Name extends TableName>(table: Name, key: string): Tables[Name] | undefined {
    return this.#tables[table].get(key);
  }

  all<Name extends TableName>(table: Name): Tables[Name][] {
    return [...this.#tables[table].values()];
  }

  /** Finds the merchant's own transaction by key or reference number. */
  transactionOf(merchant: string, id: string): Transaction | undefined {
    const transaction = this.#tables.transactions.get(this.#keyOfRefnum.get(id) ?? id);
    return transaction?.merchant === merchant ? transaction : undefined;
  }

  /** The merchant's transactions, newest first. */
  transactionsOf(merchant: string): Transaction[] {
    const keys = this.#keysOfMerchant.get(merchant) ?? [];
    return keys.map((key) => this.#tables.transactions.get(key) as Transaction).reverse();
  }

  /** A fresh number for a reference number. */
  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /** Takes effect at once, and resolves once durable. */
  async commit(changes: Change[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#record({ changes });
  }

  async reset(): Promise<void> {
    await this.#record({ reset: RESET_TABLES });
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  async #record(entry: Entry): Promise<void> {
    this.#apply(entry);
    await this.#journal?.append(entry);
  }

  #apply(entry: Entry): void {
    if ('reset' in entry) {
      for (const name of TABLE_NAMES) if (entry.reset.includes(name)) this.#tables[name].clear();
      this.#keysOfMerchant.clear();
      this.#keyOfRefnum.clear();
      return;
    }
    for (const change of entry.changes) {
      if ('remove' in change) this.#tables[change.table].delete(change.remove);
      else this.#put(change.table, change.put);
    }
  }

  #put<Name extends TableName>(table: Name, record: Tables[Name]): void {
    const isNew = !this.#tables[table].has(record.key);
    this.#tables[table].set(record.key, record);
    if ('batchrefnum' in record) this.#lastNumber = Math.max(this.#lastNumber, record.batchrefnum);
    if (!('refnum' in record)) return;
    this.#lastNumber = Math.max(this.#lastNumber, Number(record.refnum));
    this.#keyOfRefnum.set(record.refnum, record.key);
    if (!isNew) return;
    const keys = this.#keysOfMerchant.get(record.merchant);
    if (keys) keys.push(record.key);
    else this.#keysOfMerchant.set(record.merchant, [record.key]);
  }
}
