import { describe, expect, it } from '@jest/globals';
import { addToRow, deleteRow, insertRow, type RowChange, updateRow, upsertRow } from './row-change.ts';
import { statementsFor } from './statements.ts';

const rowsOf = (changes: readonly RowChange[]): unknown[] =>
  statementsFor(changes).map(({ values: [rows] }) => JSON.parse(rows));

describe('Row changes become statements', () => {
  it('makes one statement of all deposits that were opened', () => {
    const opened = Array.from({ length: 500 }, (_, nth) =>
      insertRow('deposits', { id: `d-${nth}` }, { status: 'new' }),
    );
    expect(statementsFor(opened)).toHaveLength(1);
  });

  it('writes a deposit that was opened and confirmed in one batch once', () => {
    expect(
      rowsOf([
        insertRow('deposits', { id: 'd-1' }, { status: 'new', amount: '1.5' }),
        updateRow('deposits', { id: 'd-1' }, { status: 'confirmed' }),
      ]),
    ).toEqual([[{ id: 'd-1', status: 'confirmed', amount: '1.5' }]]);
  });

  it('adds any number of payments to one total in one statement', () => {
    const seen = Array.from({ length: 500 }, () => addToRow('totals', { casino: 'c-1' }, { amount: '0.1' }));
    expect(statementsFor(seen)).toHaveLength(1);
  });

  it('keeps the order of what cannot be one: gone and back again', () => {
    const kinds = statementsFor([
      deleteRow('deposits', { id: 'd-1' }),
      insertRow('deposits', { id: 'd-1' }, { status: 'new' }),
    ]).map(({ text }) => text.split(' ')[0]);
    expect(kinds).toEqual(['DELETE', 'INSERT']);
  });

  it('demands that every row it updates is there', () => {
    const [statement] = statementsFor([
      updateRow('deposits', { id: 'd-1' }, { status: 'new' }),
      updateRow('deposits', { id: 'd-2' }, { status: 'new' }),
    ]);
    expect(statement?.mustTouch).toBe(2);
  });

  it('writes the tables of a rebuild under the names it is given', () => {
    const [statement] = statementsFor([deleteRow('deposits', { id: 'd-1' })], (table) => `rebuild.${table}_v2`);
    expect(statement?.text).toContain('"rebuild"."deposits_v2"');
  });

  it('quotes names, so that none of them is ever SQL', () => {
    const [statement] = statementsFor([upsertRow('a"; DROP TABLE b; --', { 'k"': 1 }, { 'v"': 1 })]);
    expect(statement?.text).toContain('"a""; DROP TABLE b; --"');
    expect(statement?.text).toContain('"v"""');
  });

  it.each([
    ['no key', insertRow('t', {}, { a: 1 }), /no key column/],
    ['a value that is its own key', insertRow('t', { a: 1 }, { a: 2 }), /in the key and among the values/],
    ['an update of nothing', updateRow('t', { a: 1 }, {}), /no column to change/],
    ['a fraction as a number', addToRow('t', { a: 1 }, { amount: 0.1 }), /decimal as text or a whole number, not 0.1/],
    ['an amount that is none', addToRow('t', { a: 1 }, { amount: '1e3' }), /not 1e3/],
  ])('refuses %s', (_, change, reason) => {
    expect(() => statementsFor([change])).toThrow(reason);
  });

  it('refuses a table with two keys, whose rows it could not tell apart', () => {
    expect(() => statementsFor([deleteRow('t', { a: 1 }), deleteRow('t', { b: 1 })])).toThrow(/has one key/);
  });
});
