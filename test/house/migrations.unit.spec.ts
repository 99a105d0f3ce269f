import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What an instance of the release before could not live with: it reads and writes as it always did. */
const takesAway: readonly RegExp[] = [
  /\bDROP\s+(TABLE|COLUMN|VIEW|FUNCTION|TYPE|SEQUENCE|SCHEMA)\b/i,
  /\bDROP\s+DEFAULT\b/i,
  /\bRENAME\b/i,
  /\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+COLUMN\s+(?![^;,]*\bDEFAULT\b)[^;,]*\bNOT\s+NULL\b/i,
  /\bADD\s+(CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i,
];

/** Those that may, and why nobody is hurt by them. */
const allowed: Readonly<Record<string, string>> = {
  'libs/partners/migrations/0002_overlapping_secrets.sql': 'older than the first release',
  'libs/read-models/migrations/0003_echoed.sql': 'older than the first release',
  'libs/engine/migrations/0002_legacy_transactions.sql': 'a row of before has its deposit, which is all that is asked',
  'libs/addresses/migrations/0002_legacy_transactions.sql': 'what it asks of a row was asked of those of before',
  'libs/watch/migrations/0002_pruned_nodes.sql': 'its check lets through all that the one before it did, and more',
  'libs/watch/migrations/0017_turns_by_index.sql':
    'a row of before is given its turn by the trigger, where it names none',
  'libs/receipts/migrations/0002_not_sendable.sql': 'its check lets through all that the one before it did, and more',
};

/** Without comments, strings of functions, and what would take the migration back. */
const upOf = (text: string): string =>
  text
    .split(/^-- *down migration/im)[0]
    ?.replace(/\$\$[\s\S]*?\$\$/g, '')
    .replace(/--.*$/gm, '') ?? '';

const broken = (text: string): string[] =>
  upOf(text)
    .split(';')
    .filter((statement) => takesAway.some((pattern) => pattern.test(statement)))
    .map((statement) => statement.trim().replace(/\s+/g, ' '));

const files = globSync('libs/**/migrations/*.sql', { cwd: root }).sort();

describe('a migration takes nothing away that the release before reads or writes', () => {
  it.each(files.filter((file) => !(file in allowed)))('%s', (file) => {
    expect(broken(readFileSync(`${root}${file}`, 'utf8'))).toEqual([]);
  });

  it('or has its reason here', () => {
    const excused = Object.keys(allowed).map((file) => [
      file,
      broken(readFileSync(`${root}${file}`, 'utf8')).length > 0,
    ]);
    expect(excused).toEqual(Object.keys(allowed).map((file) => [file, true]));
  });

  it.each([
    'ALTER TABLE deposits DROP COLUMN status',
    'ALTER TABLE deposits RENAME TO payments',
    'ALTER TABLE deposits ALTER COLUMN status TYPE integer',
    'ALTER TABLE deposits ALTER status SET NOT NULL',
    'ALTER TABLE deposits ADD COLUMN note text NOT NULL',
    'DROP TABLE deposits',
  ])('which this one would: %s', (statement) => {
    expect(broken(statement)).toHaveLength(1);
  });

  it.each([
    'ALTER TABLE deposits ADD COLUMN note text',
    "ALTER TABLE deposits ADD COLUMN note text NOT NULL DEFAULT ''",
    'CREATE TABLE notes (id bigint PRIMARY KEY, note text NOT NULL)',
    'ALTER TABLE deposits ADD COLUMN a int; -- Down Migration\nDROP TABLE deposits',
    'DROP INDEX free_addresses',
  ])('which this one would not: %s', (statement) => {
    expect(broken(statement.replace('-- Down', '\n-- Down'))).toEqual([]);
  });
});
