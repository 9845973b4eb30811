import { globSync, readFileSync, writeFileSync } from 'node:fs';

// Pages are rendered already: on a slow line their style comes before the scripts that bring them to life.
for (const file of globSync('build/client/**/*.html')) {
  const html = readFileSync(file, 'utf8');
  writeFileSync(file, html.replaceAll('<link rel="modulepreload"', '$& fetchpriority="low"'));
}
