import { describe, expect, it } from '@jest/globals';
import { createUpcast, type Upcaster } from './upcasting.ts';

const from = (version: number): Upcaster => ({ type: 'Quoted', from: version, up: (data) => data });

describe('what a log is told to know of its events', () => {
  it.each<[string, readonly Upcaster[]]>([
    ['a step is missing', [from(2)]],
    ['a step leads past the newest version', [from(1), from(2), from(3)]],
    ['two steps begin at one version', [from(1), from(1), from(2)]],
    ['a step is of a type without a version', [from(1), from(2), { ...from(1), type: 'Priced' }]],
  ])('is refused before anything is read where %s', (_, upcasters) => {
    expect(() => createUpcast({ versions: { Quoted: 3 }, upcasters })).toThrow(TypeError);
  });

  it('is taken with every step from version 1 to the newest, in any order', () => {
    expect(() => createUpcast({ versions: { Quoted: 3 }, upcasters: [from(2), from(1)] })).not.toThrow();
  });
});
