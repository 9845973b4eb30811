let isLeft = false;

/**
 * Reloads the whole page, so that nothing of this session stays in memory. Never returns: whatever runs here is not the
 * act of whoever comes next.
 */
export function leaveFor(address: string): Promise<never> {
  isLeft = true;
  window.location.assign(address);
  return new Promise(() => {});
}

/** Whether the page is being left already: the session is gone, so nobody is asked whether to stay. */
export const isPageLeft = (): boolean => isLeft;
