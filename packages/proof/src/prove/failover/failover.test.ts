import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../../tools/root.ts';
import failover from './group.ts';

// The group needs programs that a test machine may lack; every test run plays the smaller test in `pair` instead, with
// a primary and a standby.

const file = (name: string) => readFileSync(join(root, 'deploy/ha', name), 'utf8');

test('names the missing programs in one line, with how to install them', () => {
  const missing = failover.missing?.() ?? null;
  if (missing !== null)
    expect(missing).toMatch(
      /^[^\n]+ not found: apt-get install patroni python3-idna etcd-server haproxy postgresql$/,
    );
});

test.each([
  'ttl: 20',
  'loop_wait: 2',
  'retry_timeout: 3',
  'synchronous_mode: true',
  'synchronous_mode_strict: true',
  'synchronous_node_count: 1',
  'maximum_lag_on_failover: 1048576',
  'check_timeline: true',
  'primary_start_timeout: 0',
  'failsafe_mode: true',
  'use_pg_rewind: true',
  "synchronous_commit: 'on'",
])('the cluster that operators are told of keeps every acknowledged commit: %s', (setting) => {
  expect(
    file('patroni.yml')
      .split('\n')
      .map((line) => line.trim()),
  ).toContain(setting);
});

test.each([
  'option httpchk GET /primary',
  'default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
])('HAProxy leads to the primary and drops the sessions of one that was: %s', (setting) => {
  expect(
    file('haproxy.cfg')
      .split('\n')
      .map((line) => line.trim()),
  ).toContain(setting);
});

test('HAProxy’s environment is given as systemd reads it, one setting per line, and all that its file asks for', () => {
  const text = file('haproxy.cfg');
  const given = [...text.matchAll(/^# {3}(.+)$/gm)].map(([, line = '']) => line);
  for (const line of given) expect(line).toMatch(/^[A-Z0-9_]+=\S+$/);
  const asked = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
  expect(new Set(given.map((line) => line.split('=')[0]))).toEqual(asked);
});

test('the database talks to nobody without TLS', () => {
  const rules = file('patroni.yml').match(/^ +- (host\w*) .+$/gm) ?? [];
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) expect(rule).toMatch(/- hostssl .+ scram-sha-256$/);
  expect(file('patroni.yml')).toMatch(/^ +ssl: 'on'$/m);
});

test.each([
  ['node.env', 'PATRONI_RESTAPI_USERNAME='],
  ['node.env', 'PATRONI_RESTAPI_PASSWORD='],
  ['node.env', 'PATRONI_RESTAPI_CERTFILE='],
  ['node.env', 'PATRONI_REPLICATION_SSLMODE=verify-full'],
  ['node.env', 'PATRONI_SUPERUSER_SSLMODE=verify-full'],
  ['haproxy.cfg', '  default-server check-ssl verify required ca-file'],
])('the parts of the cluster know each other, in %s: %s', (name, setting) => {
  expect(file(name).split('\n')).toContainEqual(expect.stringMatching(new RegExp(`^${setting}`)));
});

test('every way in which a primary may go is played', () => {
  const ids = failover.attacks.map(({ id }) => id);
  const expected = Array.from({ length: 11 }, (_, index) => `FO${index + 1}`);
  // A link can only be cut if a data node can have its own network.
  expect(expected.filter((id) => !ids.includes(id) && id !== 'FO5')).toEqual([]);
  for (const { runs } of failover.attacks) expect(runs).toBe(3);
});
