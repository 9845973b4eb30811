/** An expected failure, named by what happened. */
export type Failure<Code extends string> = { ok: false; code: Code };
export type Success<Value> = { ok: true; value: Value };

export function ok<Value>(value: Value): Success<Value> {
  return { ok: true, value };
}

export function fail<Code extends string>(code: Code): Failure<Code>;
export function fail<Code extends string, Facts extends object>(
  code: Code,
  facts: Facts,
): Failure<Code> & Facts;
export function fail(code: string, facts: object = {}) {
  return { ok: false, code, ...facts };
}
