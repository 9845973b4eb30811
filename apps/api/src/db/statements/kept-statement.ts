import pg from 'pg';

/** The part of a result that tells its columns. */
type Columns = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown };

/** What the driver's query does with a connection, beyond its types. */
type Driver = {
  callback: (error: unknown, result?: pg.QueryResult) => void;
  values: unknown[];
  name: string;
  query_timeout: number | undefined;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: pg.Connection): void;
  handleRowDescription(message: unknown): void;
};

const Driven = pg.Query as unknown as new (text: string, values?: unknown[]) => Driver;

/** A connection as seen by statements whose columns it knows. */
type Knowing = { connection: pg.Connection; send(): void; columnsOf: Map<string, Columns> };

const knownBy = new WeakMap<pg.Connection, Knowing>();

/**
 * A statement that its connection keeps under a name. Postgres describes its columns once, rather than with every
 * answer: it refuses to run a kept statement whose columns have changed.
 */
export class KeptStatement extends Driven {
  #known: Knowing | undefined;

  constructor(
    { name = '', text, values }: pg.QueryConfig,
    options: { milliseconds: number | undefined; done: Driver['callback'] },
  ) {
    // Given as an object, the driver would first copy it, property by property.
    super(text, values);
    this.name = name;
    this.query_timeout = options.milliseconds;
    this.callback = options.done;
  }

  override prepare(connection: pg.Connection): void {
    this.#known = knownTo(connection);
    const columns = this.#known.columnsOf.get(this.name);
    if (columns) {
      Object.assign(this._result, columns);
      this._accumulateRows = true;
    }
    super.prepare(columns ? this.#known.connection : connection);
    this.#known.send();
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#known?.columnsOf.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

function knownTo(connection: pg.Connection): Knowing {
  let known = knownBy.get(connection);
  if (!known) {
    let messages: Buffer[] = [];
    known = {
      // Like the connection itself, but doesn't ask what the columns are, and keeps its messages for one write.
      connection: Object.create(connection, {
        describe: { value: () => {} },
        _send: { value: (message: Buffer) => messages.push(message) },
      }),
      send() {
        if (messages.length === 0) return;
        const together = Buffer.concat(messages);
        messages = [];
        if (connection.stream.writable) connection.stream.write(together);
      },
      columnsOf: new Map(),
    };
    knownBy.set(connection, known);
  }
  return known;
}
