import { watch } from 'node:fs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { node24 } from './lib/node24.mjs';
import { programOf } from './lib/program.mjs';
import { inProject, main } from './lib/project.mjs';
import { signals } from './lib/run.mjs';
import { supervise } from './lib/supervise.mjs';

const settled = 100;

const isSource = (file) => /\.(tsx?|sql|css)$/.test(file ?? '') && !file.endsWith('.spec.ts');

/** Aborted once a source has changed and nothing has for a moment: an editor writes a file in several steps. */
const nextChange = () => {
  const change = new AbortController();
  let timer;
  const seen = (_kind, file) => {
    if (!isSource(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => change.abort(), settled);
  };
  const watchers = ['apps', 'libs'].map((folder) => watch(inProject(folder), { recursive: true }, seen));
  change.signal.addEventListener('abort', () => {
    for (const watcher of watchers) watcher.close();
  });
  return change.signal;
};

const aborted = (signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', resolve);
  });

/** A build that fails is told; what it said is mended by another change. */
const isBuilt = () =>
  ensureBuilt().then(
    () => true,
    (error) => console.error(`cointill: ${error.message}`),
  );

main(async (args) => {
  const program = programOf(args);
  await ensureInstalled();
  let asked = false;
  for (const signal of signals) process.once(signal, () => (asked = true));
  for (;;) {
    const change = nextChange();
    const code = (await isBuilt()) ? await supervise(node24(), program, { stop: change }) : 1;
    if (asked) return code;
    if (!change.aborted) console.error('cointill: waiting for a change');
    await aborted(change);
    console.error('cointill: a source has changed');
  }
});
