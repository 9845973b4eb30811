import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Pages are rendered already: on a slow line their style comes before the scripts that bring them to life.
const pages = fileURLToPath(new URL('./build/client', import.meta.url));

for (const file of globSync(`${pages}/**/*.html`)) {
  const html = readFileSync(file, 'utf8');
  writeFileSync(file, html.replaceAll('<link rel="modulepreload"', '$& fetchpriority="low"'));
}
