import { expect, test } from 'vitest';
import { createRegistry } from './registry.ts';

test('counters, histograms and gauges are written as Prometheus reads them', async () => {
  const registry = createRegistry();
  const calls = registry.counter('calls_total', 'Calls.');
  calls.add({ kind: 'a "quoted"\nline \\' });
  calls.add({ kind: 'b' }, 2);
  calls.add({ kind: 'b' });
  const took = registry.histogram('took_seconds', 'How long.', [0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) took.observe({ call: 'x' }, seconds);
  registry.gauge('open', 'Open.', async () => [{ labels: {}, value: 4 }]);
  expect(await registry.text()).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{kind="a \\"quoted\\"\\nline \\\\"} 1
calls_total{kind="b"} 3
# HELP took_seconds How long.
# TYPE took_seconds histogram
took_seconds_bucket{call="x",le="0.1"} 2
took_seconds_bucket{call="x",le="1"} 3
took_seconds_bucket{call="x",le="+Inf"} 4
took_seconds_sum{call="x"} 7.65
took_seconds_count{call="x"} 4
# HELP open Open.
# TYPE open gauge
open 4
`);
});
