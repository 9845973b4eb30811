import { globSync, readFileSync, writeFileSync } from 'node:fs';

// Pages are prerendered, so on a slow line their styles matter before the scripts that hydrate them.
for (const file of globSync('build/client/**/*.html')) {
  const html = readFileSync(file, 'utf8');
  writeFileSync(file, html.replaceAll('<link rel="modulepreload"', '$& fetchpriority="low"'));
}
