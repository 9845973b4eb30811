import { FaultBook } from './faults/fault-book.ts';
import { Ledger } from './ledger/ledger.ts';
import { AddressLimit } from './merchants/address-limit.ts';
import { MERCHANTS, type Merchant } from './merchants/merchants.ts';
import { RateLimit } from './merchants/rate-limit.ts';
import { DEFAULT_SWITCHES, type Switches } from './switches.ts';

/** Work that a `late` fault postponed. */
export interface LateWork {
  run: () => Promise<void>;
  timer: NodeJS.Timeout;
}

/** A call that a `slow` fault keeps waiting. */
export interface SlowCall {
  invoice: string;
  goOn: () => void;
}

/** One emulator's whole state. Two emulators share nothing. */
export interface Emulator {
  merchants: Merchant[];
  switches: Switches;
  ledger: Ledger;
  faults: FaultBook;
  rateLimit: RateLimit;
  listingLimit: AddressLimit;
  failureLimit: AddressLimit;
  /** Folding prints of the charges in progress. */
  underWay: Set<string>;
  lateWork: Set<LateWork>;
  slowCalls: Set<SlowCall>;
  /** How far the clock was moved, in milliseconds. */
  clockShift: number;
  now: () => number;
  /** Aborts when the emulator closes, and cancels every wait. */
  stopped: AbortSignal;
}

export async function openEmulator(
  folder: string | undefined,
  switches: Partial<Switches>,
  extraMerchants: Merchant[],
  stopped: AbortSignal,
): Promise<Emulator> {
  const emulator: Emulator = {
    merchants: [...MERCHANTS, ...extraMerchants],
    switches: { ...DEFAULT_SWITCHES, ...switches },
    ledger: await Ledger.open(folder),
    faults: new FaultBook(),
    rateLimit: new RateLimit(),
    listingLimit: new AddressLimit(),
    failureLimit: new AddressLimit(),
    underWay: new Set(),
    lateWork: new Set(),
    slowCalls: new Set(),
    clockShift: 0,
    now: () => Date.now() + emulator.clockShift,
    stopped,
  };
  return emulator;
}
