export type Labels = Record<string, string | number>;

/** One line of an answer to a scrape. */
export type Sample = { name: string; labels: Labels; value: number };

type Kind = 'counter' | 'gauge' | 'histogram';
type Family = { name: string; kind: Kind; help: string; read: () => Sample[] | Promise<Sample[]> };

export type Counter = { add(labels: Labels, by?: number): void };
export type Histogram = { observe(labels: Labels, seconds: number): void };
export type Gauge = { labels: Labels; value: number }[];

/** What this process counts, and how it is read, in the text format of Prometheus. */
export type Registry = {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Read at each scrape. */
  gauge(name: string, help: string, read: () => Gauge | Promise<Gauge>): void;
  text(): Promise<string>;
};

export function createRegistry(): Registry {
  const families: Family[] = [];
  return {
    counter(name, help) {
      const values = new Map<string, Sample>();
      families.push({ name, kind: 'counter', help, read: () => [...values.values()] });
      return {
        add(labels, by = 1) {
          sampleOf(values, name, labels).value += by;
        },
      };
    },
    histogram(name, help, bounds) {
      const values = new Map<string, Sample>();
      families.push({ name, kind: 'histogram', help, read: () => [...values.values()] });
      return {
        observe(labels, seconds) {
          // The buckets are cumulative: each counts what is at most its bound.
          for (const le of [...bounds, '+Inf']) {
            const sample = sampleOf(values, `${name}_bucket`, { ...labels, le });
            if (le === '+Inf' || seconds <= Number(le)) sample.value++;
          }
          sampleOf(values, `${name}_sum`, labels).value += seconds;
          sampleOf(values, `${name}_count`, labels).value++;
        },
      };
    },
    gauge(name, help, read) {
      const samples = async () => (await read()).map((each) => ({ ...each, name }));
      families.push({ name, kind: 'gauge', help, read: samples });
    },
    async text() {
      const parts = await Promise.all(families.map(textOf));
      return parts.join('');
    },
  };
}

function sampleOf(values: Map<string, Sample>, name: string, labels: Labels): Sample {
  const key = `${name}${labelText(labels)}`;
  let sample = values.get(key);
  if (!sample) {
    sample = { name, labels, value: 0 };
    values.set(key, sample);
  }
  return sample;
}

async function textOf({ name, kind, help, read }: Family): Promise<string> {
  const samples = await read();
  const lines = samples.map((sample) => `${sample.name}${labelText(sample.labels)} ${sample.value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
