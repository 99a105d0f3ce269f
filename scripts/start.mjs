import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { inProject, main, Refusal } from './lib/project.mjs';
import { supervise } from './lib/supervise.mjs';

const apps = ['api', 'operator', 'engine', 'projector', 'notifier'];

/** One app by its own main; several in one process, and all without a name, by the one that composes them. */
const programOf = (names) => {
  const strange = names.filter((name) => !apps.includes(name));
  if (strange.length > 0)
    throw new Refusal(`there is no app '${strange[0]}': name some of ${apps.join(', ')}, or none for all`);
  const app = names.length === 1 ? names[0] : 'all';
  return [inProject('dist', 'apps', app, 'main.js'), ...(app === 'all' ? names : [])];
};

main(async (args) => {
  const program = programOf(args);
  await ensureInstalled();
  await ensureBuilt();
  return supervise(node24(), ['--enable-source-maps', ...program]);
});
