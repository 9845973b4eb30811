import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './chunk-groups.ts';

export default defineConfig({
  plugins: [reactRouter()],
  define: {
    // Unused parts of error reporting: its own compression, and page features that we don't have.
    __SENTRY_EXCLUDE_REPLAY_WORKER__: true,
    __RRWEB_EXCLUDE_IFRAME__: true,
    __RRWEB_EXCLUDE_SHADOW_DOM__: true,
  },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
  },
  css: {
    preprocessorOptions: {
      scss: {
        // Bootstrap 5.3 triggers deprecation warnings in newer Sass; they concern its files, not ours.
        quietDeps: true,
        silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
      },
    },
  },
});
