import { join } from 'node:path';
import { cached, checkHash, outputOf } from './cache.ts';

/** `sum` is the one of Go's own checksums, as `go version -m` tells it of the program. */
export type GoProgram = {
  readonly module: string;
  readonly main: string;
  readonly version: string;
  readonly sum: string;
};

/** Without C, and as it stands: what optimises it, and its C, would take half of the time. */
const QUICKLY = ['-gcflags=all=-N -l', '-ldflags=-s -w'];

export const goProgram = async ({ module, main, version, sum }: GoProgram): Promise<readonly string[]> => {
  const name = main.slice(main.lastIndexOf('/') + 1);
  const folder = await cached(`${name}-${version}`, (GOBIN) =>
    outputOf('go', ['install', ...QUICKLY, `${main}@${version}`], { env: { GOBIN, GOFLAGS: '', CGO_ENABLED: '0' } }),
  );
  const program = join(folder, name);
  const told = await outputOf('go', ['version', '-m', program]);
  if (!told.includes(`${module}\t${version}\t${sum}`)) throw new Error(`${program} is not ${version} with ${sum}`);
  return [program];
};

/** A package whose archive holds a program; `sha512` is the registry's integrity. */
export type NpmProgram = {
  readonly name: string;
  readonly version: string;
  readonly sha512: string;
  readonly program: string;
};

export const npmProgram = async ({ name, version, sha512, program }: NpmProgram): Promise<readonly string[]> => {
  const folder = await cached(`${name.replaceAll(/[@/]+/g, '-').slice(1)}-${version}`, async (incoming) => {
    const told = await outputOf('npm', ['pack', '--json', `${name}@${version}`], { cwd: incoming });
    const [{ filename = '' } = {}] = JSON.parse(told) as readonly { readonly filename?: string }[];
    const archive = join(incoming, filename);
    await checkHash(archive, 'sha512', sha512);
    await outputOf('tar', ['-xzf', archive, '-C', incoming]);
  });
  return [join(folder, 'package', program)];
};
