import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, checkHash, outputOf } from './cache.ts';

export type DebianProgram = {
  readonly suite: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** All that it is linked to, the C library among them: it runs on whatever the machine is. */
  readonly libraries: readonly string[];
  readonly program: string;
};

const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';

/** The mirror of Debian that this machine uses anyway. */
const mirror = async (): Promise<string> => {
  const sites = await outputOf('apt-get', ['indextargets', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages']);
  const site = sites
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, release = '']) => /^(bookworm|trixie|forky|sid)$/.test(release))?.[0];
  if (!site) throw new Error('this machine has no sources of Debian packages');
  return site;
};

/** An apt of its own: it changes nothing of the machine, and takes other suites than the machine's. */
const privateApt = async (folder: string, suite: string): Promise<NodeJS.ProcessEnv> => {
  for (const part of ['state/lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, part), { recursive: true });
  const file = (name: string, text: string) => writeFile(join(folder, name), text);
  await file('status', '');
  await file('sources.list', `deb [signed-by=${KEYS}] ${await mirror()} ${suite} main\n`);
  const settings = {
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  await file('apt.conf', lines.join(''));
  const env = { APT_CONFIG: join(folder, 'apt.conf') };
  await outputOf('apt-get', ['update'], { env });
  return env;
};

/** Debian's unstable keeps no version for ever. What it has instead bears Debian's signature too, and is told. */
const download = async (wanted: DebianProgram, env: NodeJS.ProcessEnv, cwd: string): Promise<void> => {
  const { suite, name, version, sha256, libraries } = wanted;
  const take = (packages: readonly string[]) => outputOf('apt-get', ['download', ...packages], { env, cwd });
  try {
    await take([`${name}=${version}`]);
  } catch {
    await take([name]);
    process.stderr.write(`${name} ${version} is no longer in ${suite}: ${(await readdir(cwd)).join()} is taken\n`);
  }
  const [file = ''] = await readdir(cwd);
  if (file.includes(version)) await checkHash(join(cwd, file), 'sha256', sha256);
  await take(libraries);
};

const unpackInto = (wanted: DebianProgram) => async (folder: string) => {
  const [apt, packages] = [join(folder, 'apt'), join(folder, 'packages')];
  await mkdir(packages);
  await download(wanted, await privateApt(apt, wanted.suite), packages);
  for (const file of await readdir(packages)) await outputOf('dpkg', ['-x', join(packages, file), folder]);
  for (const done of [apt, packages]) await rm(done, { recursive: true });
};

/** The command line that runs it, unpacked privately: nothing is installed. */
export const debianProgram = async (wanted: DebianProgram): Promise<readonly string[]> => {
  const folder = await cached(`${wanted.name}-${wanted.version}`, unpackInto(wanted));
  const libraries = join(folder, LIBRARIES);
  // Bookworm has the loader itself above /usr.
  const above = join(folder, 'lib/x86_64-linux-gnu');
  const places = [libraries, above];
  const loader = await Promise.any(
    places.map(async (place) => {
      if ((await readdir(place)).includes('ld-linux-x86-64.so.2')) return join(place, 'ld-linux-x86-64.so.2');
      throw new Error(`no loader in ${place}`);
    }),
  );
  return [loader, '--library-path', places.join(':'), join(folder, wanted.program)];
};
