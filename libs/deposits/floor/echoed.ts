/** What the partner sends with a deposit only to be shown it again: our names, and the interface's for them. */
const wireNames = { machineId: 'machine_id' } as const;

type Names = typeof wireNames;

export type Echoed = { readonly [Name in keyof Names]: string | null };

/** The same in the words of the interface. */
export type EchoedView = { readonly [Name in keyof Names as Names[Name]]: string | null };

const pairs = Object.entries(wireNames) as readonly [keyof Echoed, keyof EchoedView][];

/** From a request, or from a row: what is not there is null. */
export const echoedIn = (wire: { readonly [Name in keyof EchoedView]?: string | null | undefined }): Echoed =>
  Object.fromEntries(pairs.map(([name, wireName]) => [name, wire[wireName] ?? null])) as Echoed;

export const nothingEchoed = echoedIn({});

/** Out of whatever carries them; a history written before a field was there has null for it. */
export const echoedOf = (carrier: Partial<Echoed>): Echoed =>
  Object.fromEntries(pairs.map(([name]) => [name, carrier[name] ?? null])) as Echoed;

export const echoedView = (carrier: Partial<Echoed>): EchoedView =>
  Object.fromEntries(pairs.map(([name, wireName]) => [wireName, carrier[name] ?? null])) as EchoedView;
