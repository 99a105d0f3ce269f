/** Many times what a ticker needs. */
const MOST_BYTES = 65_536;

const boundedText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`the answer is larger than ${MOST_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** The signal bounds the whole of it, the body too; a redirect to somewhere else is no answer. */
export const fetchJson = async (url: string, signal: AbortSignal): Promise<unknown> => {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP ${response.status}`);
  }
  return JSON.parse(await boundedText(response));
};
