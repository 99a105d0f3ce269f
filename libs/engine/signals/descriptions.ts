import { type SignalType, signalTypes } from '#deposits';
import { declarations } from './declarations.ts';
import { at, signalId } from './envelope.ts';
import type { ToldField } from './fields.ts';
import { targets } from './target.ts';

/** What a type of signal looks like, as JSON Schema and by an example: whoever has it can write one. */
export type SignalDescription = {
  readonly type: SignalType;
  readonly summary: string;
  readonly schema: {
    readonly type: 'object';
    readonly description: string;
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, ToldField['schema']>>;
    readonly anyOf: readonly { readonly required: readonly string[] }[];
  };
  readonly example: Readonly<Record<string, unknown>>;
};

const typeField = (type: SignalType): ToldField => ({
  name: 'type',
  required: true,
  schema: { type: 'string', enum: [type], description: 'What kind of fact', example: type },
});

const byName = <T>(fields: readonly ToldField[], told: (field: ToldField) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(fields.map((field) => [field.name, told(field)]));

const describe = (type: SignalType): SignalDescription => {
  const { summary, fields } = declarations[type];
  const own: readonly ToldField[] = Object.values<ToldField>(fields);
  const common = [signalId, typeField(type), at];
  // What a type says of an address goes before what every signal may do with one.
  const all = [...common, ...Object.values(targets), ...own];
  return {
    type,
    summary,
    schema: {
      type: 'object',
      description: summary,
      required: all.filter(({ required }) => required).map(({ name }) => name),
      properties: byName(all, ({ schema }) => schema),
      anyOf: Object.values(targets).map(({ name }) => ({ required: [name] })),
    },
    example: byName([...common, targets.depositId, ...own], ({ schema }) => schema.example),
  };
};

/** Every type of signal, in the order of the interface's table. */
export const signalDescriptions: readonly SignalDescription[] = signalTypes.map(describe);
