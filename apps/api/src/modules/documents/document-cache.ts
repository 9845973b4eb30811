export type DocumentCache = {
  /** Returns the cached document, or makes it, once for all concurrent callers. Failures aren't cached. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

/** An in-memory LRU cache of documents, limited by bytes. */
export function createDocumentCache({ maxBytes }: { maxBytes: number }): DocumentCache {
  // A Map iterates in insertion order, so the first entry is the least recently used.
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
