import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where what runs can be reached by the commands that are typed in another terminal. */
export type Place = {
  readonly url: string;
  readonly nodeUrl: string;
  readonly key: string;
  readonly entityId: number;
  readonly operatorToken: string;
  readonly engineToken: string;
};

const file = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '.cache', 'regtest.json');

export const keepPlace = async (place: Place): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(place), { mode: 0o600 });
};

export const forgetPlace = (): Promise<void> => rm(file, { force: true });

export const findPlace = async (): Promise<Place> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new Error('nothing runs in regtest mode here: begin with `npm run regtest` in another terminal');
  }
};

type Call = { readonly token?: string; readonly key?: string; readonly body?: unknown };

/** Asks the service; an answer that is no good ends the command with its words. */
export const ask = async <T>(url: string, method: string, { token, key, body }: Call): Promise<T> => {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
};
