import { writeFileSync } from 'node:fs';
import { listScreens } from './screens.ts';

// The server uses this list to tell screens from wrong URLs, so that routes are declared only once. The last step of the
// build: a server that starts meanwhile takes a folder without it for not built.
writeFileSync('build/client/screens.json', JSON.stringify(listScreens()));
