import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const fileOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(fileOf('package.json'));

const commandOf = (name: string): string => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`);

describe('the commands of the project', () => {
  it('are all told in the list of them, in a line each', () => {
    const list = fileOf('CONTRIBUTING.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .join('\n');
    expect(Object.keys(scripts).filter((name) => !new RegExp(`\`${commandOf(name)}[\` ]`).test(list))).toEqual([]);
  });
});
