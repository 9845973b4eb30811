import { expect, test } from 'vitest';
import type { SeedRun } from '../simulation/run-simulations.ts';
import { describeFindings } from './report.ts';

const counts = {
  ...{ steps: 100, waits: 10, crashes: 1, databaseTroubles: 2, providerTroubles: 3 },
  ...{ accepted: 2, captured: 3, heardPaid: 5 },
  ...{ requested: 2, refunded: 1, crashesDuringRefunds: 0 },
};
const seed = (number: number): SeedRun => ({ seed: number, wrong: [], counts, milliseconds: 500 });
const circumstances = {
  command: 'npm run prove -- --report FILE',
  commit: { hash: 'abc', isClean: true },
  ...{ cores: 2, processes: 2, node: '24.0.0', begin: new Date('2026-11-22T10:00:00Z') },
};
const about = { seconds: 61, isWhole: true, isOver: true, circumstances };
const nothing = { seeds: [], bugs: [], attacks: [], failures: [] };

test('counts payments by the books, and answers apart from them', () => {
  const report = describeFindings({ ...nothing, seeds: [seed(1), seed(2)] }, about);
  expect(report).toContain('4 payments accepted and\n6 charges captured; "paid" was heard 10 times.');
});

test('counts refunds, and in how many seeds there were some', () => {
  const none = { ...seed(3), counts: { ...counts, requested: 0, refunded: 0, crashesDuringRefunds: 1 } };
  const report = describeFindings({ ...nothing, seeds: [seed(1), none] }, about);
  expect(report).toContain(
    '2 refunds asked for and 1 made, in 50 % of the seeds;\nin 50 % a process was killed',
  );
});

test('says how long refunds took from their requests until they were made', () => {
  const round = { id: 'RR14', name: 'made', run: 0, wrong: [], milliseconds: 1000 };
  const attacks = [
    { ...round, figures: { voidMedian: 200, voidSlow: 450 } },
    { ...round, run: 1, figures: { refundMedian: 300, refundSlow: 12_000 } },
  ];
  const report = describeFindings({ ...nothing, attacks }, about);
  expect(report).toContain('a void took 200 ms in the median, and 95 of a hundred at most 450 ms.');
  expect(report).toContain('a refund took 300 ms in the median, and 95 of a hundred at most 12.0 s.');
});

test('says how long a fail-over kept payments closed, and what it read before they opened', () => {
  const round = { id: 'FO1', name: 'a primary dies', run: 0, wrong: [], milliseconds: 1000 };
  const figures = {
    secondsWithoutWrites: 20,
    secondsWithoutPayments: 22,
    pagesListed: 1,
    paymentsRefused: 170,
    slowestAnswerSeconds: 9,
    commitMilliseconds: 0.4,
    commitAloneMilliseconds: 0.3,
  };
  const attacks = [round, { ...round, run: 1 }, { ...round, run: 2 }].map((each, index) => ({
    ...each,
    figures: { ...figures, pagesListed: 1 + index },
  }));
  const report = describeFindings({ ...nothing, attacks }, about);
  expect(report).toContain('payments were open again after 22.0 s in the median and 22.0 s at most.');
  expect(report).toContain(
    '2 pages of the provider’s lists were read in the median and 3 at most, of ten a minute.',
  );
});

test('says what was typed, of which commit, and how it ended', () => {
  const report = describeFindings(nothing, about);
  expect(report).toContain('Written by `npm run prove -- --report FILE`.');
  expect(report).toContain('commit: abc, with nothing changed');
  expect(report).toContain('**0 failures, 1 min 1 s in all.**');
  expect(report).not.toContain('part of the proof');
});

test('says of a part that it is one, and of one that was stopped', () => {
  const report = describeFindings(nothing, { ...about, isWhole: false, isOver: false });
  expect(report).toContain('A part of the proof. Stopped before it was over.');
});

test('names each failure with the command that shows it again', () => {
  const failure = { what: 'seed 7', wrong: ['it is wrong'], command: 'npm run prove -- --seed 7' };
  const report = describeFindings({ ...nothing, failures: [failure] }, about);
  expect(report).toContain('**1 failures');
  expect(report).toContain('seed 7:\n```\nit is wrong\n```\nAgain: `npm run prove -- --seed 7`');
});

test('says of a planted bug which seed or attack noticed it, and what that said first', () => {
  const bug = { name: 'a bug', milliseconds: 1000 };
  const bugs = [
    { ...bug, caughtBy: { what: 'R04', wrong: ['work order 1 was captured 2 times', 'answered 200'] } },
    { ...bug, caughtBy: null },
  ];
  const report = describeFindings({ ...nothing, bugs }, about);
  expect(report).toContain('| a bug | R04 | 1.0 s | work order 1 was captured 2 times |');
  expect(report).toContain('| a bug | NOTHING | 1.0 s |  |');
});
