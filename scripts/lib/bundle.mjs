import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { esbuild } from './esbuild.mjs';
import { exclusively } from './exclusive.mjs';
import { appNames } from './program.mjs';
import { inProject } from './project.mjs';

const apps = inProject('dist', 'apps');
const start = join(apps, 'all', 'start.js');
const stamp = inProject('dist', '.bundled');

const namingOfEsbuild = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';
const naming = "const __NAME=(target,value)=>Object.defineProperty(target,'name',{value,configurable:true});";

/**
 * Classes keep their names, which the framework and messages tell; a function that is made for each call would pay more
 * for a name of its own than for what it does. In as many characters, so that every place in the map stays right.
 */
const withNaming = (code) => {
  if (!code.includes(namingOfEsbuild)) throw new Error('esbuild names functions in another way now');
  return code
    .replace(namingOfEsbuild, 'var __name=(target)=>target;'.padEnd(namingOfEsbuild.length))
    .replaceAll('__name(this,', '__NAME(this,');
};

/** What CommonJS finds in every module, for packages that are written so. */
const commonJs = [
  "import { createRequire as createRequireOf } from 'node:module';",
  'const require = createRequireOf(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta;',
].join('');

/** Nobody looks for faults in the lines of packages; a map with one place in it keeps all others out of ours. */
const placeless = Buffer.from('{"version":3,"sources":[""],"names":[],"mappings":"AAAA"}').toString('base64');
const withoutMap = (code) =>
  `${code.replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')}\n//# sourceMappingURL=data:application/json;base64,${placeless}`;

/** One character beyond Latin-1 would make two bytes of each of millions. */
const inAscii = (code) =>
  code.replaceAll(/(?<!\\)[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A `require` that a module makes for itself hides what it loads. */
const ownRequire = /^const require = createRequire\(import\.meta\.url\);$/m;

const packageCode = ({ path }) => ({
  contents: withoutMap(inAscii(readFileSync(path, 'utf8').replace(ownRequire, ''))),
});

/** Our modules find their files beside them, where they still are. */
const ownCode = ({ path }) => {
  const place = JSON.stringify(relative(dirname(start), path).replaceAll(sep, '/'));
  const code = readFileSync(path, 'utf8');
  return { contents: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
};

/**
 * Some starts load these, from where npm has put them; the others do not pay for them. Whoever imports `node:http` as a
 * module is given all that it has, for which Node loads its WebSocket and a client of HTTP.
 */
const lazily = {
  filter: /^(?:kafkajs|fzstd|snappyjs|@eventstore\/db-client|node-pg-migrate|swagger-ui-dist\/.+|(?:node:)?https?)$/,
  code: ({ path }) => ({ contents: `module.exports = require(${JSON.stringify(path)});` }),
};

const modules = {
  name: 'modules',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]node_modules[\\/].+\.[cm]?js$/ }, packageCode);
    build.onLoad({ filter: /[\\/]dist[\\/](?:apps|libs)[\\/].+\.js$/ }, ownCode);
    build.onLoad({ filter: /./, namespace: 'lazily' }, lazily.code);
    build.onResolve({ filter: lazily.filter }, ({ path, namespace }) =>
      namespace === 'lazily' ? { path, external: true } : { path, namespace: 'lazily' },
    );
    // A package that is not there is one that another can do without.
    build.onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === modules.name) return undefined;
      const { errors } = await build.resolve(path, { ...from, pluginData: modules.name });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/** An app alone is started with the same file: seven eighths of that are in the part of any. */
const mainOf = (app) => `import { enableCompileCache, flushCompileCache } from 'node:module';
enableCompileCache();
const { start } = await import('../all/start.js');
await start(['${app}'], process.env);
flushCompileCache();
`;

const replace = (path, text) => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};

/** One file of all that a start loads, in the place of the module that imports it: docs/decisions/0040. */
export const bundle = async () => {
  const { outputFiles } = await esbuild({
    absWorkingDir: inProject(),
    entryPoints: [start],
    outfile: start,
    allowOverwrite: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: [modules],
    banner: { js: commonJs + naming },
    // What tsconfig.json says is for sources, not for what was built of them.
    tsconfigRaw: {},
    // Modules of a circle are loaded in the order that Node has.
    ignoreAnnotations: true,
    keepNames: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
  for (const { path, text } of outputFiles) replace(path, path === start ? withNaming(text) : text);
  for (const app of appNames) replace(join(apps, app, 'main.js'), mainOf(app));
  writeFileSync(stamp, '');
};

export const ensureBundled = async () => {
  if (existsSync(stamp)) return;
  await exclusively('build', async () => {
    if (!existsSync(stamp)) await bundle();
  });
};
