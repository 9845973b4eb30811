type Named = { franchiseId: number; name: string };

/** A franchise's name; with its number where another of these has the same name, and the number alone if it is none of these. */
export function franchiseNames(franchises: Named[]): (franchiseId: number) => string {
  const names = new Map(franchises.map(({ franchiseId, name }) => [franchiseId, name]));
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const name of names.values()) (once.has(name) ? shared : once).add(name);
  return (franchiseId) => {
    const name = names.get(franchiseId);
    if (name === undefined) return String(franchiseId);
    return shared.has(name) ? `${name}, ${franchiseId}` : name;
  };
}
