import { TRANSITIONS, type Transition } from '../../apps/api/src/modules/payments/engine/transitions.ts';
import {
  REFUND_TRANSITIONS,
  type RefundTransition,
} from '../../apps/api/src/modules/payments/refunds/moves/refund-transitions.ts';

export const PAGE = 'docs/money-safety.md';

type Marks = readonly [begin: string, end: string];

const MARKS: Marks = ['<!-- transitions, drawn by tools/draw-transitions.ts -->', '<!-- / transitions -->'];
const REFUND_MARKS: Marks = [
  '<!-- refund transitions, drawn by tools/draw-transitions.ts -->',
  '<!-- / refund transitions -->',
];

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

/** The page with the tables of payments and refunds between their marks. */
export function withTransitions(page: string): string {
  return between(between(page, MARKS, `${diagram()}\n\n${table()}`), REFUND_MARKS, refundTable());
}

function between(page: string, marks: Marks, content: string): string {
  const [begin, end] = marks.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new Error(`${PAGE} has lost the marks of its transitions`);
  }
  return `${page.slice(0, begin)}${marks[0]}\n\n${content}\n\n${page.slice(end)}`;
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
    const { from, to, or, next, decides, locks, wakes, commit, isAlone } = each;
    const payment = [WHILE[each.while], ...(decides ? [`then ${decides.to}`] : [])].join(', ');
    const cells = [
      `\`${event}\``,
      decides?.or ? `${payment}; ${decides.or} where the card was` : payment,
      from.join(', '),
      or ? `${to}; ${or.to} where ${or.where}` : to,
      or && or.next !== next ? `${NEXT[next]}; ${NEXT[or.next]}` : NEXT[next],
      isAlone ? `${locks.join(', ')}, in the same statement` : locks.join(', '),
      wakes ?? '',
      commit,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, '|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}

const REFUND_NEXT = {
  now: 'at once',
  'at-its-deadline': 'at its deadline',
  'as-told': 'after its back-off',
  'by-a-person': 'by a person',
  never: 'never',
  'as-before': 'as before',
} satisfies Record<RefundTransition['next'], string>;

const REFUNDS: [event: string, transition: RefundTransition][] = Object.entries(REFUND_TRANSITIONS);

function refundTable(): string {
  const head = '| event | from | to | looked at again | locks first | tells | in the same commit |';
  const rows = REFUNDS.map(([event, { from, to, unsent, only, next, locks, tells, commit }]) => {
    const end = to === 'as-before' ? 'the same state' : to;
    const cells = [
      `\`${event}\``,
      only ? `${from.join(', ')}; only ${only}` : from.join(', '),
      unsent ? `${end}; where it began, if nothing was sent` : end,
      REFUND_NEXT[next],
      locks.join(', '),
      tells ? `the ${tells}` : '',
      commit,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n');
}
