import { allProcesses, type Seen } from './processes.ts';

/** A Postgres of any installation of ours, or a child of one. */
export type Server = Seen & { readonly role: 'postmasters' | 'children'; readonly mark: string };

const serverOf = (seen: Seen): Server[] => {
  const child = /^postgres: (cointill-\w+): /.exec(seen.command)?.[1];
  if (child) return [{ ...seen, role: 'children', mark: child }];
  const [, mark] = /\/bin\/postgres -D .* cluster_name=(cointill-\w+) /.exec(seen.command) ?? [];
  return mark ? [{ ...seen, role: 'postmasters', mark }] : [];
};

export const servers = (): Server[] => allProcesses().flatMap(serverOf);

/** Where that directory is known by what it holds, by whatever mount the server came there. */
export const worksIn = ({ pid }: Seen, isIn: (dataDir: string) => boolean): boolean => isIn(`/proc/${pid}/cwd/../..`);
