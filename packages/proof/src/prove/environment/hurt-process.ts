// Preloaded into the portal. SIGUSR2 hurts the process as HURT says: `block` blocks its event loop for
// HURT_MILLISECONDS, `memory` allocates until memory runs out.

process.on('SIGUSR2', () => {
  if (process.env.HURT === 'block') block(Number(process.env.HURT_MILLISECONDS));
  if (process.env.HURT === 'memory') takeAllMemory();
});

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function takeAllMemory(): void {
  const taken: number[][] = [];
  setInterval(() => taken.push(Array.from({ length: 1_000_000 }, (_, index) => index * Math.random())), 5);
}
