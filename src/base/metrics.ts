/**
 * What the parts of a process count about themselves. A part registers with the `Metrics` that it is given and knows
 * nothing of HTTP; the server shows all of them at `/metrics`. Label values come from short fixed lists, never from
 * symbols or callers: each combination is a time series of its own, for as long as the process runs.
 */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Added to the family's name: `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  read(): Promise<readonly Sample[]>;
}

type Read = () => number | readonly Sample[] | Promise<number | readonly Sample[]>;

export interface Counter {
  add(amount?: number, labels?: Labels): void;
}

export interface Histogram {
  observe(seconds: number, labels?: Labels): void;
}

/** Upper bounds in seconds, from a hot answer to the query timeout. */
export const ANSWER_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export class Metrics {
  readonly #families = new Map<string, Family & { readonly reads: Read[] }>();

  /** A value that is read when someone asks. A second reader under the name adds its samples. */
  gauge(name: string, help: string, read: Read): void {
    this.#add(name, help, 'gauge', read);
  }

  /** A count that is kept elsewhere, and read when someone asks. */
  counted(name: string, help: string, read: Read): void {
    this.#add(name, help, 'counter', read);
  }

  counter(name: string, help: string): Counter {
    const samples = new Map<string, { labels: Labels; value: number }>();
    this.#add(name, help, 'counter', () => [...samples.values()]);
    return {
      add(amount = 1, labels = {}) {
        samples.getOrInsertComputed(keyOf(labels), () => ({ labels, value: 0 })).value += amount;
      },
    };
  }

  /** @param buckets upper bounds, ascending */
  histogram(name: string, help: string, buckets: readonly number[] = ANSWER_BUCKETS_S): Histogram {
    const byLabels = new Map<string, { labels: Labels; times: Times }>();
    this.#add(name, help, 'histogram', () =>
      [...byLabels.values()].flatMap(({ labels, times }) => times.samples(labels)),
    );
    return {
      observe(seconds, labels = {}) {
        byLabels
          .getOrInsertComputed(keyOf(labels), () => ({ labels, times: new Times(buckets) }))
          .times.observe(seconds);
      },
    };
  }

  /** A histogram that is kept elsewhere. */
  histogramOf(name: string, help: string, read: () => readonly Sample[]): void {
    this.#add(name, help, 'histogram', read);
  }

  families(): readonly Family[] {
    return [...this.#families.values()];
  }

  #add(name: string, help: string, type: Family['type'], read: Read): void {
    const present = this.#families.get(name);
    if (present !== undefined) {
      if (present.type !== type || present.help !== help)
        throw new Error(`Two metrics have the name ${name}.`);
      present.reads.push(read);
      return;
    }
    const reads = [read];
    this.#families.set(name, {
      name,
      help,
      type,
      reads,
      read: async () => (await Promise.all(reads.map(async (each) => samplesOf(await each())))).flat(),
    });
  }
}

const samplesOf = (read: number | readonly Sample[]): readonly Sample[] =>
  typeof read === 'number' ? [{ labels: {}, value: read }] : read;

const keyOf = (labels: Labels): string => Object.values(labels).join('\n');

/** Counts durations by bucket in plain numbers: an observation takes well under a microsecond. */
export class Times {
  readonly #buckets: readonly number[];
  /** By bucket; the last one has no upper bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(buckets: readonly number[] = ANSWER_BUCKETS_S) {
    this.#buckets = buckets;
    this.#counts = new Float64Array(buckets.length + 1);
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < this.#buckets.length && seconds > this.#buckets[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += seconds;
  }

  /** As Prometheus reads a histogram: each bucket counts the ones below it too. None before the first observation. */
  samples(labels: Labels): Sample[] {
    let count = 0;
    const buckets = [...this.#counts].map((observed, bucket): Sample => {
      count += observed;
      const le = String(this.#buckets[bucket] ?? '+Inf');
      return { suffix: '_bucket', labels: { le, ...labels }, value: count };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
