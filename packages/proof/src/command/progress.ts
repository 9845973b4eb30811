import type { Findings } from './findings.ts';
import { duration } from './report.ts';

const LINE_MILLISECONDS = 30_000;
const TTY_MILLISECONDS = 500;

/** Shows a proof's progress: a changing line on a terminal, elsewhere a line now and then. */
export function showProgress(
  findings: Findings,
  expected: { seeds: number; bugs: number; attacks: number },
): { stop: () => void } {
  const { isTTY } = process.stdout;
  const begin = performance.now();
  let told = 0;
  const parts = () => [
    ...(expected.seeds > 0 ? [`${findings.seeds.length} of ${expected.seeds} seeds`] : []),
    ...(expected.bugs > 0 ? [`${findings.bugs.length} of ${expected.bugs} planted bugs`] : []),
    ...(expected.attacks > 0 ? [`${findings.attacks.length} of ${expected.attacks} attacks`] : []),
    `${findings.failures.length} failures`,
    duration((performance.now() - begin) / 1000),
  ];
  const clear = () => process.stdout.write(isTTY ? '\r\u001b[K' : '');
  const tick = () => {
    clear();
    for (const { what, wrong, command } of findings.failures.slice(told)) {
      process.stdout.write(
        `✗ ${what}\n  ${wrong.join('\n').replaceAll('\n', '\n  ')}\n  again: ${command}\n`,
      );
    }
    told = findings.failures.length;
    process.stdout.write(`${parts().join(', ')}${isTTY ? '' : '\n'}`);
  };
  const timer = setInterval(tick, isTTY ? TTY_MILLISECONDS : LINE_MILLISECONDS);
  return {
    stop: () => {
      clearInterval(timer);
      tick();
      clear();
    },
  };
}
