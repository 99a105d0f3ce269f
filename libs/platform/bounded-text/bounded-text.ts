/** All of an answer as text. What ends by no length ends the reading: a time limit alone would let it fill the memory. */
export const boundedText = async (body: AsyncIterable<Uint8Array> | null, mostBytes: number): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error(`it sends more than ${mostBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
