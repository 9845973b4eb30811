/** In characters. Staff's is longer, because it gives access to other people's data. */
export const SHORTEST_PASSWORD = { account: 8, staff: 12 } as const;
