import { writeFileSync } from 'node:fs';
import { listOfficeScreens } from './screens.ts';

// The server knows a screen from a wrong address by this list, and no route has to be named twice.
writeFileSync('build/client/screens.json', JSON.stringify(listOfficeScreens()));
