import { pathToFileURL } from 'node:url';
import { inProject, Refusal } from './project.mjs';

export const appNames = ['api', 'operator', 'engine', 'projector', 'notifier', 'watcher'];

const heap = [
  // With less room for what is new, what a burst brings is called old before it is gone; a large machine's own 64 stay.
  '--max-semi-space-size=16',
  // What is old is looked through when it is half as much again as was alive, not when it is nearly three times that.
  '--heap-growing-percent=50',
  // One thread looks beside ours for what is old: with four of them a small machine has no core left for Postgres and us.
  '--v8-pool-size=1',
];

const ownSourceMaps = ['--import', pathToFileURL(inProject('scripts', 'lib', 'own-source-maps.mjs')).href];

/** One app by its own main; several in one process, and all without a name, by the one that composes them. */
export const programOf = (names) => {
  const strange = names.filter((name) => !appNames.includes(name));
  if (strange.length > 0)
    throw new Refusal(`there is no app '${strange[0]}': name some of ${appNames.join(', ')}, or none for all`);
  const app = names.length === 1 ? names[0] : 'all';
  return [...heap, ...ownSourceMaps, inProject('dist', 'apps', app, 'main.js'), ...(app === 'all' ? names : [])];
};
