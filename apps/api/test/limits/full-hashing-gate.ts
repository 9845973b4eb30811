import { hashingGate } from '../../src/modules/auth/passwords/hashing-gate.ts';

/** Does something while as many passwords wait to be hashed as may. */
export async function whileHashingIsFull<Result>(work: () => Promise<Result>): Promise<Result> {
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const crowd = Array.from({ length: 200 }, () => hashingGate.run(() => gone));
  try {
    return await work();
  } finally {
    leave();
    await Promise.all(crowd);
  }
}
