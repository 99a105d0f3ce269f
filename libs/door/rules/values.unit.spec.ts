import { expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { IsTime } from './values.ts';

class Asked {
  @IsTime()
  at: unknown;
}

const isTaken = (at: unknown): boolean => validateSync(Object.assign(new Asked(), { at })).length === 0;

it.each([
  ...['2026-02-28', '2024-02-29', '2026-12-31T23:59:59.999Z', '2026-01-31T10:00+15:59', '0001-01-01', '9999-12-31'],
])('a time that there is: %s', (at) => expect(isTaken(at)).toBe(true));

it.each([
  ...['2026-02-30', '2025-02-29', '2026-04-31T00:00:00+01:00', '2026-02-29T24:00:00Z', '2026-02-28T24:00:00Z'],
  ...['2026-00-10', '2026-13-01', '2026-01-00', '2026-01-01T10:60Z', '2026-01-01T10:00:60Z', '2026-01-01T10:00+16:00'],
  ...['0000-12-31', '10000-01-01', '2026-01-01T10:00', '', 20260101],
])('a time that there is not, or that no database takes: %s', (at) => expect(isTaken(at)).toBe(false));
