import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../', import.meta.url);

type Project = { readonly type: 'application' | 'library'; readonly root: string };

const { projects }: { readonly projects: Readonly<Record<string, Project>> } = JSON.parse(
  readFileSync(new URL('nest-cli.json', root), 'utf8'),
);

const foldersOf = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const named = (type: Project['type']) =>
  Object.entries(projects).flatMap(([name, project]) => (project.type === type ? [[name, project.root]] : []));

describe('nest-cli.json', () => {
  it('names every app', () => {
    expect(named('application')).toEqual(foldersOf('apps').map((name) => [name, `apps/${name}`]));
  });

  it('names every lib as it is imported', () => {
    expect(named('library')).toEqual(foldersOf('libs').map((name) => [`#${name}`, `libs/${name}`]));
  });
});
