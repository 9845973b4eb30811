import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Where the built server begins. What V8 has compiled is kept beside it, for the next start of the same file; where nothing
// can be written, as in the image, every start compiles anew.
enableCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)));
await import('./server.ts');
