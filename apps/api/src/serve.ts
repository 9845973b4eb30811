import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Entry point of the built server. V8's compiled code is cached beside it for the next start; where nothing can be
// written, as in the image, every start compiles again.
enableCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)));
await import('./server.ts');
