import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Service = {
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
};

type Range = { readonly subnet: string; readonly ip_range: string; readonly gateway: string };

export type ComposeFile = {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam?: { readonly config: readonly Range[] } }>>;
};

type Variables = Readonly<Record<string, string>>;

/** As Compose reads it where whoever starts it has these variables: `${NAME:-otherwise}` is all that the files use. */
export const composeFile = (name: string, variables: Variables = {}): ComposeFile => {
  const text = readFileSync(new URL(`../../docker/${name}`, import.meta.url), 'utf8');
  const filled = JSON.stringify(parse(text, { merge: true })).replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, variable: string, otherwise = '') => variables[variable] || otherwise,
  );
  return JSON.parse(filled);
};
