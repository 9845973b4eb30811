import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const PAGE = 'build/client/guest-payment/index.html';
/** The script reads the settings, so it stands behind them. */
const SETTINGS = '<script id="settings" type="application/json">{}</script>';

// Bundled alone, so that it waits for no other script. While it hydrates, React skips async scripts that it doesn't know.
const build = await rolldown({ input: 'app/lib/early/begin-look-up.ts' });
const { output } = await build.generate({ format: 'iife', minify: true });
await build.close();
const [{ code }] = output;
const name = `begin-look-up-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
writeFileSync(`build/client/assets/${name}`, code);

const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
const html = readFileSync(PAGE, 'utf8');
if (!html.includes(SETTINGS)) throw new Error('the built page has no place for its early script');
writeFileSync(
  PAGE,
  html.replace(
    SETTINGS,
    `$&<script async="" fetchpriority="high" src="/assets/${name}" integrity="${integrity}"></script>`,
  ),
);
