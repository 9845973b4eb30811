import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './chunk-groups.ts';

export default defineConfig({
  base: '/office/',
  plugins: [reactRouter()],
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
