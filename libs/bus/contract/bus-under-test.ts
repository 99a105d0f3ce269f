import type { Bus } from '../port.ts';

/** How a process opens the carrier: `open` names an export of `module` that takes `options`, plain JSON. */
export type Recipe = { readonly module: string; readonly open: string; readonly options: object };

export type BusUnderTest = {
  readonly recipe: Recipe;
  /** Ports of the server: connections to them are what the suite cuts. */
  readonly serverPorts: readonly number[];
  /** Longest time until the others have taken over from an instance that died. */
  readonly takeOverMs: number;
  /** Longer than an instance may be silent before its claim is taken from it. */
  readonly longBatchMs: number;
  readonly tearDown: () => Promise<void>;
};

/** Another bus with connections of its own, as another process would have. */
export const openBus = async ({ module, open, options }: Recipe): Promise<Bus> => {
  const carrier: Record<string, unknown> = await import(module);
  const opened = carrier[open];
  if (typeof opened !== 'function') throw new Error(`${module} exports no function "${open}"`);
  return opened(options);
};
