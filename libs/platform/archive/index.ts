export { ArchiveBroken, type Manifest } from './manifest.ts';
export { type Receiver, readArchive } from './read.ts';
export { type Entry, writeArchive } from './write.ts';
