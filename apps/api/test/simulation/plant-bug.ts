import { registerHooks } from 'node:module';
import { PLANTED_BUGS } from './planted-bugs.ts';

// Loaded before anything else: changes one file of the engine, in this process only, as PLANTED_BUG says.

const bug = PLANTED_BUGS.find(({ name }) => name === process.env.PLANTED_BUG);
if (!bug) throw new Error(`no planted bug "${process.env.PLANTED_BUG}"`);
const { file, find, replacement } = bug;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/apps/api/src/${file}`)) return loaded;
    const parts = String(loaded.source).split(find);
    if (parts.length !== 2) throw new Error(`${file} has what to replace ${parts.length - 1} times`);
    return { ...loaded, source: parts.join(replacement) };
  },
});
