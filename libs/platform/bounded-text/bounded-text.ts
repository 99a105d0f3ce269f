export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(mostBytes: number) {
    super(`it sends more than ${mostBytes} bytes`);
  }
}

/** What is kept of a text, piece by piece as it comes, and how much that may be. */
export type Sieve = { readonly sift: (text: string) => string; readonly mostKept: number };

/** All of an answer as text. What ends by no length ends the reading: a time limit alone would let it fill the memory. */
export const boundedText = async (
  body: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
  { sift, mostKept }: Sieve = { sift: (text) => text, mostKept: mostBytes },
): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new TooLarge(mostBytes);
    text += sift(decoder.decode(chunk, { stream: true }));
    if (text.length > mostKept) throw new TooLarge(mostKept);
  }
  return text + sift(decoder.decode());
};
