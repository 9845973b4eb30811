import { plainCommand } from '../commands/run-command.ts';
import type { Fault } from './fault.ts';
import { LIST_FAULTS } from './fault.ts';

/** What faults match calls by. */
export interface CallMark {
  /** The command of POST /transactions, or another route's name. */
  name: string;
  isTransaction: boolean;
  orderId: string;
  invoice: string;
}

/** A fault names a command or its beginning: `capture` also matches `capture:error`. */
function namesCommand(fault: Fault, mark: CallMark): boolean {
  if (fault.command === '*') return true;
  if ((LIST_FAULTS as readonly string[]).includes(fault.fault)) return mark.name === 'list';
  if (fault.command === undefined) return mark.isTransaction;
  const [wanted, name] = [plainCommand(fault.command), plainCommand(mark.name)];
  return name === wanted || name.startsWith(`${wanted}:`);
}

/** The scripted faults, oldest first. */
export class FaultBook {
  #faults: Fault[] = [];

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  clear(): void {
    this.#faults = [];
  }

  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** Returns the fault for this call. A call that passes first uses up one of the fault's `after`. */
  take(mark: CallMark): Fault | undefined {
    for (const fault of this.#faults) {
      const selectsRows = fault.fault === 'list-missing';
      const isMeant =
        namesCommand(fault, mark) &&
        (fault.orderId === undefined || selectsRows || fault.orderId === mark.orderId) &&
        (fault.invoice === undefined || fault.invoice === mark.invoice);
      if (!isMeant) continue;
      if (fault.after > 0) {
        fault.after -= 1;
        continue;
      }
      fault.times -= 1;
      if (fault.times <= 0) this.#faults = this.#faults.filter((other) => other !== fault);
      return { ...fault };
    }
    return undefined;
  }
}
