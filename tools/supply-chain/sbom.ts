import { spawnSync } from 'node:child_process';
import { root } from '../root.ts';

/** The bill of materials in CycloneDX: every package with its version and digest. */
export function makeSbom(): { json: string; components: number } {
  const { stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (!stdout.startsWith('{')) throw new Error(`npm sbom: ${stderr}`);
  const { components } = JSON.parse(stdout) as { components: unknown[] };
  return { json: stdout, components: components.length };
}
