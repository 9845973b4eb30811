import { TRANSITIONS, type Transition } from '../../apps/api/src/modules/payments/engine/transitions.ts';

export const PAGE = 'docs/money-safety.md';

const MARKS = ['<!-- transitions, drawn by tools/draw-transitions.ts -->', '<!-- / transitions -->'] as const;

const EVENTS: [event: string, transition: Transition][] = Object.entries(TRANSITIONS);

const NEXT = {
  now: 'at once',
  'once-listed': 'at once; after 5 seconds where its transaction is not known',
  'by-a-person': 'by a person',
  never: 'never',
} satisfies Record<Transition['next'], string>;

const WHILE = {
  'in-time': 'undecided, in time',
  undecided: 'undecided',
  decided: 'decided',
} satisfies Record<Transition['while'], string>;

/** The page with the engine's table where the marks stand. */
export function withTransitions(page: string): string {
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new Error(`${PAGE} has lost the marks of its transitions`);
  }
  return `${page.slice(0, begin)}${MARKS[0]}\n\n${diagram()}\n\n${table()}\n\n${page.slice(end)}`;
}

function diagram(): string {
  const edges = new Map<string, string[]>();
  for (const [event, { from, to, or }] of EVENTS) {
    for (const state of from) {
      for (const end of or ? [to, or.to] : [to]) {
        const edge = `  ${state} --> ${end}`;
        edges.set(edge, [...(edges.get(edge) ?? []), event]);
      }
    }
  }
  const lines = [...edges].map(([edge, events]) => `${edge}: ${events.join(', ')}`);
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> authorising', ...lines, '```'].join('\n');
}

function table(): string {
  const head =
    '| event | its payment is | from | to | looked at again | locks first | wakes | in the same commit |';
  const rows = EVENTS.map(([event, each]) => {
    const { from, to, or, next, decides, locks, wakes, commit } = each;
    const payment = [WHILE[each.while], ...(decides ? [`then ${decides.to}`] : [])].join(', ');
    const cells = [
      `\`${event}\``,
      decides?.or ? `${payment}; ${decides.or} where the card was` : payment,
      from.join(', '),
      or ? `${to}; ${or.to} where ${or.where}` : to,
      or && or.next !== next ? `${NEXT[next]}; ${NEXT[or.next]}` : NEXT[next],
      locks.join(', '),
      wakes ?? '',
      commit,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, '|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}
