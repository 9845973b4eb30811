import { spawnSync } from 'node:child_process';
import { root } from '../root.ts';

export type Advisories = { isAnswered: false; reason: string } | { isAnswered: true; found: string[] };

type Audit = {
  message?: string;
  vulnerabilities?: Record<string, { severity: string; range: string }>;
};

/** Known high and critical vulnerabilities, from the registry's list. Not every registry has one. */
export function askForAdvisories(): Advisories {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--loglevel=silent'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return readAudit(stdout);
}

export function readAudit(json: string): Advisories {
  let audit: Audit;
  try {
    audit = JSON.parse(json) as Audit;
  } catch {
    return { isAnswered: false, reason: 'npm audit said nothing that can be read' };
  }
  if (!audit.vulnerabilities) return { isAnswered: false, reason: audit.message ?? 'no list came back' };
  const found = Object.entries(audit.vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
  return { isAnswered: true, found };
}
