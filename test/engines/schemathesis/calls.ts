import { readFile } from 'node:fs/promises';

type Entry = {
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
};

export type Call = { readonly method: string; readonly path: string; readonly status: number; readonly text: string };

/** What was sent and answered, from the recording of a run. */
export const callsIn = async (recording: string): Promise<readonly Call[]> => {
  const { log }: { log: { entries: readonly Entry[] } } = JSON.parse(await readFile(recording, 'utf8'));
  return log.entries.map(({ request, response }) => ({
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    text: response.content.text ?? '',
  }));
};
