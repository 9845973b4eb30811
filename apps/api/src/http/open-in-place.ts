type Closable = { close(): Promise<void> };

/**
 * Opens something that takes one of the places, and hands it on with `end`, which closes it and gives the place back.
 * `use` calls `end` once it is done, perhaps long after it has returned; if it throws, that happens here.
 */
export async function openInPlace<Opened extends Closable, Result>(
  leave: () => void,
  open: () => Promise<Opened | null>,
  use: (opened: Opened | null, end: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let opened: Opened | null = null;
  const end = async () => {
    leave();
    const ending = opened;
    opened = null;
    await ending?.close().catch(() => {});
  };
  try {
    opened = await open();
    return await use(opened, end);
  } catch (error) {
    await end();
    throw error;
  }
}
