import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

const read = (): string =>
  (JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')) as { readonly version: string }).version;

/** Of the checkout or the image that this is part of. */
export const release = read();
