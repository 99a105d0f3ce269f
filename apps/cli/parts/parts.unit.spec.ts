import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openProgress, progressLine } from './progress.ts';
import { fieldsOf, tableOf } from './table.ts';

afterEach(() => void jest.restoreAllMocks());

describe('a progress line', () => {
  it.each([
    [0, 100, 0, 'rows: 0 % (0 of 100), 0 events/s, - left'],
    [50, 100, 10_000, 'rows: 50 % (50 of 100), 5 events/s, 10 s left'],
    [1_000, 1_000_000, 1_000, 'rows: 0 % (1000 of 1000000), 1000 events/s, 17 min left'],
    [1_000, 10_000_000, 1_000, 'rows: 0 % (1000 of 10000000), 1000 events/s, 2 h 47 min left'],
    [100, 100, 1_000, 'rows: 100 % (100 of 100), 100 events/s, 0 s left'],
  ])('%i of %i after %i ms', (done, total, elapsedMs, line) => {
    expect(progressLine('rows', 'events', done, total, elapsedMs)).toBe(line);
  });

  it('is a line now and then where there is no terminal, and always the last', () => {
    const written: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const progress = openProgress('rows', 'events');
    for (let done = 0; done <= 100; done++) progress.at(done, 100);
    progress.end();
    expect(written.map((line) => line.slice(0, 12))).toEqual(['rows: 0 % (0', 'rows: 100 % ']);
  });
});

describe('a table', () => {
  const rows = [
    { id: 1, name: 'Aurora', note: null },
    { id: 20, name: 'a\u001b[31mred\u0007', note: { by: 'x' } },
  ];

  it('has the fields in columns, and shows what would move the cursor', () => {
    expect(tableOf(rows, ['id', 'name', 'note'], 80)).toEqual({
      head: 'ID  NAME              NOTE',
      lines: ['1   Aurora            -', '20  a\\x1b[31mred\\x07  {"by":"x"}'],
      left: 0,
    });
  });

  it('leaves out what finds no place', () => {
    expect(tableOf(rows, ['id', 'name', 'note'], 20)).toMatchObject({ head: 'ID  NAME', left: 1 });
  });
});

describe('fields', () => {
  it('are a line each, with what lies inside indented', () => {
    expect(fieldsOf({ id: 1, webhook: { url: 'https://x' }, fees: [] })).toEqual([
      'id       1',
      'webhook',
      '  url  https://x',
      'fees     []',
    ]);
  });
});
