import { expect, test } from 'vitest';
import { readTerms } from './read-terms.ts';

test('terms are headings, paragraphs and lists', () => {
  const text = [
    'These are',
    'the terms.',
    '',
    '## What you pay',
    '- The total,',
    '  tax included.',
    '- A tip.',
    '',
    'Thank you.',
    '# Questions',
    'Ask <b>us</b>.',
  ].join('\n');
  expect(readTerms(text)).toEqual([
    { kind: 'paragraph', text: 'These are the terms.' },
    { kind: 'heading', text: 'What you pay' },
    { kind: 'list', points: ['The total, tax included.', 'A tip.'] },
    { kind: 'paragraph', text: 'Thank you.' },
    { kind: 'heading', text: 'Questions' },
    { kind: 'paragraph', text: 'Ask <b>us</b>.' },
  ]);
});

test.each(['', '\n \n'])('of nothing (%j) there is nothing', (text) => {
  expect(readTerms(text)).toEqual([]);
});
