import type { Page } from '@playwright/test';

type Pressed = {
  /** When a form was submitted. */
  presses: number[];
  /** When anything was last pressed or submitted. */
  touchedAt: number;
};

/** Keeps the times of all presses. On a busy machine the second may come too late to be an echo of the first. */
export const keepTimesOfPresses = (page: Page) =>
  page.addInitScript(() => {
    const kept: Pressed = { presses: [], touchedAt: 0 };
    Object.assign(window, kept);
    window.addEventListener('submit', ({ timeStamp }) => kept.presses.push(timeStamp), true);
    // The later of both: a busy page submits long after a click, and a touch's own time lies ahead of its submit's.
    for (const type of ['click', 'keydown', 'keyup', 'touchend', 'submit']) {
      const note = ({ timeStamp }: Event) => {
        const { touchedAt } = window as unknown as Pressed;
        Object.assign(window, { touchedAt: Math.max(touchedAt, timeStamp) });
      };
      window.addEventListener(type, note, true);
    }
  });

/** How many presses since the last call came too late to be an echo. */
export const countPresses = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const times = (window as unknown as Pressed).presses.splice(0);
    return times.filter((time, index) => index === 0 || time - (times[index - 1] ?? 0) >= 500).length;
  });

/**
 * Waits until the last press is so long ago, by the page's clock, that the next one is no echo of it. Where no times
 * are kept, from now on.
 */
export async function letEchoesPass(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { touchedAt = performance.now() } = window as unknown as Partial<Pressed>;
    return new Promise((passed) => setTimeout(passed, touchedAt + 550 - performance.now()));
  });
}
