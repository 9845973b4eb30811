export type DocumentCache = {
  /** What is kept under the key, or what `make` makes; asked for by many at once it is made once. A failure is not kept. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

/** Keeps documents in memory up to a number of bytes; those not asked for longest go first. */
export function createDocumentCache({ maxBytes }: { maxBytes: number }): DocumentCache {
  // A map remembers the order of insertion: the first is the one not asked for longest.
  const kept = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Uint8Array>>();
  let bytes = 0;

  function keep(key: string, document: Uint8Array): void {
    if (document.byteLength > maxBytes) return;
    kept.set(key, document);
    bytes += document.byteLength;
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= maxBytes) return;
      kept.delete(oldest);
      bytes -= byteLength;
    }
  }

  async function makeOnce(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      const document = await make();
      keep(key, document);
      return document;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async get(key, make) {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found;
      }
      let making = underWay.get(key);
      if (!making) {
        making = makeOnce(key, make);
        underWay.set(key, making);
      }
      return making;
    },
  };
}
