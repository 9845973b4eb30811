import type { Call } from './call.ts';
import { newBatchKey } from './keys.ts';
import type { Change } from './ledger/ledger.ts';
import type { Batch } from './ledger/records.ts';

/** The merchant's batch that is open now. A new one is among the changes when there was none. */
export function openBatch(call: Call): { batch: Batch; changes: Change[] } {
  const batches = call.ledger.all('batches').filter(({ merchant }) => merchant === call.merchant.name);
  const open = batches.find(({ status }) => status === 'open');
  if (open) return { batch: open, changes: [] };
  const batch: Batch = {
    key: newBatchKey(),
    batchrefnum: call.ledger.nextNumber(),
    sequence: batches.length + 1,
    merchant: call.merchant.name,
    openedAt: call.now,
    status: 'open',
  };
  return { batch, changes: [{ table: 'batches', put: batch }] };
}
