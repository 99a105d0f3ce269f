import { pathToFileURL } from 'node:url';
import { inProject, Refusal } from './project.mjs';

const apps = ['api', 'operator', 'engine', 'projector', 'notifier', 'watcher'];

/** On a large machine what is new in the heap would keep 130 MB for good; a request has no more to itself than this. */
const littleThatIsNew = '--max-semi-space-size=8';

const ownSourceMaps = ['--import', pathToFileURL(inProject('scripts', 'lib', 'own-source-maps.mjs')).href];

/** One app by its own main; several in one process, and all without a name, by the one that composes them. */
export const programOf = (names) => {
  const strange = names.filter((name) => !apps.includes(name));
  if (strange.length > 0)
    throw new Refusal(`there is no app '${strange[0]}': name some of ${apps.join(', ')}, or none for all`);
  const app = names.length === 1 ? names[0] : 'all';
  return [
    littleThatIsNew,
    ...ownSourceMaps,
    inProject('dist', 'apps', app, 'main.js'),
    ...(app === 'all' ? names : []),
  ];
};
