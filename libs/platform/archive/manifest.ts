/** The last thing in an archive: who finds it, and every sum right, has the whole. */
export const MANIFEST = 'manifest.json';

export type Manifest = {
  readonly format: 'cointill backup 1';
  readonly made_at: string;
  /** In words: what is to be guarded. */
  readonly holds: readonly string[];
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>;
};

/** Not whole, not as it was written, or none of ours. */
export class ArchiveBroken extends Error {}
