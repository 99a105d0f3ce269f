import type { Body } from './http.ts';

/** What a partner sends with a deposit only to be shown it again: a value of each field. */
export const echoed = { machine_id: 'm-7' };

export type Echoed = { readonly [Field in keyof typeof echoed]: string | null };

export const echoedFields = Object.keys(echoed) as readonly (keyof Echoed)[];

export const echoedOf = (shown: Echoed): Body => Object.fromEntries(echoedFields.map((field) => [field, shown[field]]));

export const nothingEchoed: Body = Object.fromEntries(echoedFields.map((field) => [field, null]));

/** What each refuses. */
export const refusedEchoes: readonly [field: string, sent: Body][] = [
  ['machine_id', { machine_id: 'm'.repeat(65) }],
  ['machine_id', { machine_id: 12 }],
];
