import { setSourceMapsSupport } from 'node:module';

/** Stacks name the lines of our own sources. The maps of all packages, which nobody reads, would be 15 MB of memory. */
setSourceMapsSupport(true, { nodeModules: false });
