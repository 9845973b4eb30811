// Entry point of the built server. `npm run serve` and `npx node` run it on Node 24; a bare `node` is the machine's own.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `The portal runs on Node 24 or newer. This is ${process.versions.node}: start it with "npm run serve", or with "npx node".\n`,
  );
  process.exit(1);
}

// Imported only now: an older Node may already fail at a module that this one has.
const [{ enableCompileCache }, { fileURLToPath }] = await Promise.all([
  import('node:module'),
  import('node:url'),
]);
// V8's compiled code is cached beside it for the next start; where nothing can be
// written, as in the image, every start compiles again.
enableCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)));
await import('./server.ts');
