/** What some browsers have in place of storage that works, each with a script that does the same to a page. */
export const SPOILED_STORAGES = [
  [
    'no room to store anything',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('no room', 'QuotaExceededError');
      };
    },
  ],
  [
    'no storage',
    () => {
      for (const kind of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, kind, { value: null });
      }
    },
  ],
] as const;
