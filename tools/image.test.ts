import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { API_BUILD, API_SERVER, SERVER_OPTIONS } from './build-api-apart.ts';
import { OFFICE_FOLDER, WEB_FOLDER } from './build-web.ts';
import { root } from './root.ts';

const lines = readFileSync(join(root, 'Containerfile'), 'utf8').split('\n');
const command = ['node', ...SERVER_OPTIONS, relative(root, API_SERVER)];

test.each([API_BUILD, WEB_FOLDER, OFFICE_FOLDER].map((folder) => relative(root, folder)))(
  'the image holds what the server serves: %s',
  (folder) => {
    expect(lines).toContain(`COPY --from=build /app/${folder} ${folder}`);
  },
);

test('the image runs the server as "npm run serve" does, and as everything that measures it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.serve).toBe(command.join(' '));
  expect(lines).toContain(`CMD [${command.map((each) => JSON.stringify(each)).join(', ')}]`);
});
