import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PLANT = fileURLToPath(new URL('./plant-bug.ts', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../../../../apps/api/src', import.meta.url));

/** Loads the gateway's answers in a separate process, and returns how they read a capture's answer. */
function readCapture({ bug }: { bug?: string }): string {
  const program = `
    const { findPlantedBug, plantOnLoad } = await import(${JSON.stringify(PLANT)});
    ${bug === undefined ? '' : `plantOnLoad(findPlantedBug(${JSON.stringify(bug)}));`}
    const { readCaptureAnswer } = await import(${JSON.stringify(`${SOURCE}/gateway/usaepay/provider-answers.ts`)});
    const text = JSON.stringify({ result_code: 'A', key: 'another', auth_amount: '1.00' });
    const answer = { kind: 'answer', status: 200, text };
    console.log(readCaptureAnswer(answer, { transactionKey: 'ours', amountCents: 100 }).kind);`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  }).trim();
}

test('a bug is planted in the source that a process loads, and nowhere else', () => {
  expect(readCapture({})).toBe('unclear');
  expect(readCapture({ bug: "the answer to another's capture is taken for our own" })).toBe('captured');
});
