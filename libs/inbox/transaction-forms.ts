/** The hash of a transaction, wherever it stands in an address of a block explorer. */
const HASH = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/g;

/** A transaction as it may be kept, by how it was told: with its output, in a URL, with `0x` or without. */
export const transactionForms = (told: string): readonly string[] => {
  const plain = told.replace(/\s/g, '').toLowerCase();
  const hash = [...plain.matchAll(HASH)].at(-1)?.[1];
  const bare = hash ?? plain.replace(/:\d+$/, '');
  return [...new Set([plain, bare, ...(hash ? [`0x${hash}`] : [])])];
};
