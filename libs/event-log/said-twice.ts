import type { StoredMetadata } from './hash-chain.ts';

const NAMES = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** One is taken, and a reader who takes the other is told what no hash covers. As the log writes it nothing is. */
export const saidTwice = (text: string, metadata: StoredMetadata): readonly string[] => {
  if (text === JSON.stringify(metadata)) return [];
  const names = [...text.matchAll(NAMES)].flatMap(([, name = '', isName]) =>
    isName ? [String(JSON.parse(name))] : [],
  );
  return [...new Set(names.filter((name, nth) => names.indexOf(name) !== nth))];
};
